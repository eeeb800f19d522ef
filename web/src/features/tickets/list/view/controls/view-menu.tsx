import { useQuery } from '@tanstack/react-query'
import { getTicketFieldList, propertyType } from '@tessera/contract/projects/project-config'
import { useEffect, useState } from 'react'
import { Button } from '../../../../../components/button/button.tsx'
import { BoardIcon, CalendarIcon, ListIcon, TimelineIcon, TreeIcon } from '../../../../../components/icons/icons.tsx'
import { lazy } from '../../../../../components/lazy/lazy.tsx'
import { Menu, type MenuProps } from '../../../../../components/menu/menu.tsx'
import { useMenu } from '../../../../../components/menu/use-menu.ts'
import { Tooltip } from '../../../../../components/tooltip/tooltip.tsx'
import { callQuery } from '../../../../../lib/calls/api.ts'
import { seldomStale } from '../../../../../lib/calls/live/seldom-stale.ts'
import { useActions } from '../../../../../lib/input/actions.ts'
import { isOfDates, isTable, type Layout, type TicketView } from '../ticket-view.ts'
import type { ChangeView } from '../use-ticket-view.ts'
import styles from './view-menu.module.css'

const layouts: readonly { layout: Layout; label: string; Icon: typeof TreeIcon }[] = [
  { layout: 'tree', label: 'Tree', Icon: TreeIcon },
  { layout: 'list', label: 'List', Icon: ListIcon },
  { layout: 'board', label: 'Board', Icon: BoardIcon },
  { layout: 'calendar', label: 'Calendar', Icon: CalendarIcon },
  { layout: 'timeline', label: 'Timeline', Icon: TimelineIcon },
]
/** Switching between a table and another layout replaces this menu too: the new one gets the focus. */
let takesFocus = false

const SaveViewDialog = lazy(async () => (await import('../../saved-views/save-view-dialog.tsx')).SaveViewDialog)
const ViewsDialog = lazy(async () => (await import('../../saved-views/views-dialog.tsx')).ViewsDialog)

interface ViewMenuProps {
  idProject: number
  view: TicketView
  onChange: ChangeView
  hasBoard: boolean
  onExpandAll?: () => void
}

/** The menu for layout and grouping, expanding all levels of the tree, and saving it all as a view. */
export function ViewMenu({ idProject, view, onChange, hasBoard, onExpandAll }: ViewMenuProps) {
  const { isOpen, button, menu } = useMenu()
  const [dialog, setDialog] = useState<'save' | 'views'>()
  const close = () => setDialog(undefined)
  const { ref } = button
  const fields = useQuery({ ...callQuery(getTicketFieldList, { idProject }), enabled: isOpen, staleTime: seldomStale })
  useEffect(() => {
    if (takesFocus) ref.current?.focus()
    takesFocus = false
  }, [ref])
  const isTree = view.layout === 'tree'
  const { Icon, label } = layouts.find(({ layout }) => layout === view.layout) ?? { Icon: TreeIcon, label: 'Tree' }
  const groups = [
    { group: '', label: 'No groups' },
    { group: 'State', label: 'Group by State' },
    { group: 'Type', label: 'Group by Type' },
    { group: 'Assignee', label: 'Group by Assignee' },
    ...(fields.data ?? [])
      .filter(({ FieldType }) => FieldType === propertyType.SELECT)
      .map(({ Key, Label }) => ({ group: Key, label: `Group by ${Label}` })),
  ]
  const choices: MenuProps['choices'] = [
    ...layouts
      .filter(({ layout }) => hasBoard || isTable(layout))
      .map(({ layout, label }) => ({
        key: layout,
        label,
        isChosen: layout === view.layout,
        onChoose: () => {
          takesFocus = isTable(layout) !== isTable(view.layout)
          // A calendar is grouped by a DATE field and a timeline by two, which the others cannot be.
          const isKept = !isOfDates(layout) && !isOfDates(view.layout)
          onChange(now => ({ ...now, layout, group: isKept ? now.group : '', open: [] }))
        },
      })),
    // A board has its own choice of columns.
    ...(view.layout === 'list' ? groups : []).map((choice, index) => ({
      key: `by ${choice.group}`,
      label: choice.label,
      startsGroup: index === 0,
      isChosen: choice.group === view.group,
      onChoose: () => onChange({ group: choice.group }),
    })),
    ...(isTree && onExpandAll
      ? [
          { key: 'expand', label: 'Expand all', isAction: true, startsGroup: true, onChoose: onExpandAll },
          {
            key: 'collapse',
            label: 'Collapse all',
            isAction: true,
            isDisabled: view.open.length === 0,
            onChoose: () => onChange({ open: [] }),
          },
        ]
      : []),
    { key: 'save', label: 'Save view', isAction: true, startsGroup: true, onChoose: () => setDialog('save') },
    { key: 'views', label: 'Saved views', isAction: true, onChoose: () => setDialog('views') },
  ]
  // Not in the palette on a ticket's page, where the list is secondary.
  useActions(
    (hasBoard ? choices : []).map(choice => ({
      label: layouts.some(({ layout }) => layout === choice.key) ? `View: ${choice.label}` : choice.label,
      refused: refusalOf(choice),
      ...(choice.onChoose && { run: choice.onChoose }),
    })),
  )
  return (
    <>
      <Tooltip title={`View: ${label}`}>
        <Button {...button} aria-label="View" className={styles.icon}>
          <Icon />
        </Button>
      </Tooltip>
      <Menu label="View" {...menu} multiple choices={choices} />
      {dialog === 'save' && <SaveViewDialog idProject={idProject} shown={view} onSaved={next => onChange(() => next)} onClose={close} />}
      {dialog === 'views' && (
        <ViewsDialog idProject={idProject} onDeleted={idView => idView === view.saved && onChange({ saved: 0 })} onClose={close} />
      )}
    </>
  )
}

/** Why the palette cannot run a choice at present. */
function refusalOf({ isChosen, isDisabled }: MenuProps['choices'][number]) {
  if (isChosen) return 'Already chosen'
  return isDisabled ? 'No children are shown' : undefined
}
