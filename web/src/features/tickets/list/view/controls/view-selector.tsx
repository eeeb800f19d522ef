import { useQuery } from '@tanstack/react-query'
import { getViewList } from '@tessera/contract/projects/views'
import { MenuButton } from '../../../../../components/menu/menu-button.tsx'
import { useMenu } from '../../../../../components/menu/use-menu.ts'
import { callQuery } from '../../../../../lib/calls/api.ts'
import { formatNumber } from '../../../../../lib/display/format.ts'
import { timeZone } from '../../../../../lib/display/zone.ts'
import { useActions } from '../../../../../lib/input/actions.ts'
import { viewOfSaved } from '../../saved-views/saved-view.ts'
import type { TicketView } from '../ticket-view.ts'
import type { ChangeView } from '../use-ticket-view.ts'
import { presets } from '../view-changes.ts'

interface ViewSelectorProps {
  idProject: number
  view: TicketView
  onChange: ChangeView
  /** Whether the palette offers the ready-made filters too. */
  isInPalette: boolean
}

/** 'Load View': the ready-made filters, then the saved views. */
export function ViewSelector({ idProject, view, onChange, isInPalette }: ViewSelectorProps) {
  const menu = useMenu()
  const views = useQuery({
    ...callQuery(getViewList, { idProject, Counts: 1, ...(menu.isOpen && { Zone: timeZone() }) }),
    enabled: menu.isOpen,
  })
  const ready = presets.map(({ label, apply }) => ({ key: label, label, onChoose: () => onChange(apply) }))
  useActions(isInPalette ? ready.map(({ label, onChoose }) => ({ label, run: onChoose })) : [])
  return (
    <MenuButton
      label="Load View"
      menu={menu}
      choices={[
        ...ready,
        ...(views.data ? [] : [{ key: 'none', label: views.error?.message ?? 'Loading…', isDisabled: true, startsGroup: true }]),
        ...(views.data ?? []).map((saved, index) => ({
          key: saved.idView,
          label: saved.Name,
          detail: saved.Total === undefined ? undefined : formatNumber(saved.Total),
          note: saved.Gone?.length
            ? `names ${saved.Gone.join(', ')}, which ${saved.Gone.length === 1 ? 'was' : 'were'} deleted`
            : undefined,
          isChosen: saved.idView === view.saved,
          startsGroup: index === 0,
          onChoose: () => onChange(() => viewOfSaved(saved)),
        })),
      ]}
    />
  )
}
