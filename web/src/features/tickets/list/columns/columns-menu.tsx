import { Button } from '../../../../components/button/button.tsx'
import { ColumnsIcon } from '../../../../components/icons/icons.tsx'
import { Menu } from '../../../../components/menu/menu.tsx'
import { useMenu } from '../../../../components/menu/use-menu.ts'
import { useActions } from '../../../../lib/input/actions.ts'
import { mostColumns } from '../view/kept-columns.ts'
import type { ChangeView } from '../view/use-ticket-view.ts'
import { withoutColumns } from '../view/view-changes.ts'
import styles from './columns-menu.module.css'
import { useColumnChoices } from './use-column-choices.ts'

interface ColumnsMenuProps {
  idProject: number
  columns: readonly string[]
  /** How many of them the list has room for. */
  shown: number
  onChange: ChangeView
  /** Only the icon is shown. */
  isCompact: boolean
}

/** COLUMNS: what the list shows beside the columns that it always has. */
export function ColumnsMenu({ idProject, columns, shown, onChange, isCompact }: ColumnsMenuProps) {
  const { isOpen, open, button, menu } = useMenu()
  const choices = useColumnChoices(idProject, columns, isOpen)
  const toggle = (name: string) =>
    onChange(view =>
      view.columns.includes(name) ? withoutColumns(view, other => other === name) : { ...view, columns: [...view.columns, name] },
    )
  useActions([{ label: 'Columns', run: open }])
  return (
    <>
      <Button {...button} aria-label="Columns" className={isCompact ? styles.icon : undefined}>
        <ColumnsIcon />
        {!isCompact && 'COLUMNS'}
      </Button>
      <Menu
        label="Columns"
        {...menu}
        multiple
        choices={choices.map(({ name, label, detail }) => ({
          key: name,
          label,
          detail: columns.indexOf(name) >= shown ? 'No room on this screen' : detail,
          isChosen: columns.includes(name),
          isDisabled: !columns.includes(name) && columns.length >= mostColumns,
          onChoose: () => toggle(name),
        }))}
      />
    </>
  )
}
