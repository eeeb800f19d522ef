import ButtonBase from '@mui/material/ButtonBase'
import { ArrowDownIcon, ArrowUpIcon, SortIcon } from '../../components/icons.tsx'
import type { SortColumn, SortSlot } from './ticket-view.ts'

interface SortButtonProps {
  column: SortColumn
  sort: readonly SortSlot[]
  onCycle: () => void
}

/** The head of a column that sorts: none, ascending, descending. With several, a small number says which counts first. */
export function SortButton({ column, sort, onCycle }: SortButtonProps) {
  const position = sort.findIndex(({ Column }) => Column === column)
  const direction = sort[position]?.Direction
  const Icon = direction === 'asc' ? ArrowUpIcon : direction === 'desc' ? ArrowDownIcon : SortIcon
  const now = direction === 'asc' ? 'ascending' : direction === 'desc' ? 'descending' : 'not sorted'
  return (
    <ButtonBase
      aria-label={`Sort by ${column}`}
      title={`Sort by ${column}: ${now}`}
      onClick={onCycle}
      sx={{
        gap: 0.25,
        mx: -0.5,
        px: 0.5,
        height: 24,
        borderRadius: 1,
        font: 'inherit',
        color: direction ? 'text.primary' : 'inherit',
        '& svg': { opacity: direction ? 1 : 0.7 },
        '&:hover': { bgcolor: 'action.hover', '& svg': { opacity: 1 } },
        '&.Mui-focusVisible': { outline: 2, outlineColor: 'primary.main' },
      }}
    >
      {column}
      <Icon fontSize="small" color={direction ? 'primary.main' : 'text.disabled'} />
      {position >= 0 && sort.length > 1 && <small>{position + 1}</small>}
    </ButtonBase>
  )
}
