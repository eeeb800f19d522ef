import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ButtonBase from '@mui/material/ButtonBase'
import InputBase from '@mui/material/InputBase'
import Skeleton from '@mui/material/Skeleton'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { formatNumber } from '../lib/format.ts'
import { ErrorState } from './error-state.tsx'
import { SearchIcon } from './icons.tsx'
import { Unseen } from './unseen.tsx'

interface Row {
  id: number
  text: string
  /** Beside it, in grey. */
  note?: string
}

interface RowListProps {
  /** Names the list for screen readers, and the search in it: "projects". */
  label: string
  rows: readonly Row[] | undefined
  error: Error | null
  onRetry: () => void
  /** What stands in place of an empty list. */
  empty: ReactNode
  /** Where a row leads. */
  path?: (id: number) => string
  /** What a row without a path does; with neither it is text. */
  onOpen?: (id: number) => void
  icon?: ReactNode
}

const searchableFrom = 9
const page = 50

/** Rows that open something: with a search when there are many, by the fifty. */
export function RowList({ label, rows, error, onRetry, empty, path, onOpen, icon }: RowListProps) {
  const [search, setSearch] = useState('')
  const [shown, show] = useState(page)
  if (error && !rows) return <ErrorState dense message={error.message} onRetry={onRetry} />
  if (!rows) {
    return (
      <Box sx={{ p: 2, pt: 1 }}>
        <Unseen role="status">Loading {label}</Unseen>
        {[70, 50, 60].map(width => (
          <Skeleton key={width} height={44} width={`${width}%`} />
        ))}
      </Box>
    )
  }
  if (rows.length === 0) return empty
  const wanted = search.trim().toLowerCase()
  const matches = wanted ? rows.filter(({ text, note = '' }) => `${text} ${note}`.toLowerCase().includes(wanted)) : rows
  return (
    <>
      {rows.length >= searchableFrom && (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, px: 2, py: 0.75, borderBottom: 1, borderColor: 'hairline' }}>
          <SearchIcon fontSize="small" color="text.secondary" />
          <InputBase
            fullWidth
            value={search}
            onChange={event => setSearch(event.target.value)}
            placeholder={`Search ${formatNumber(rows.length)} ${label}`}
            slotProps={{ input: { 'aria-label': `Search ${label}`, type: 'search' } }}
            sx={{ fontSize: 13 }}
          />
        </Box>
      )}
      <Box component="ul" aria-label={label} sx={{ listStyle: 'none', m: 0, p: 0.75 }}>
        {matches.slice(0, shown).map(({ id, text, note }) => (
          <li key={id}>
            <ButtonBase
              {...(path
                ? { component: Link, to: path(id) }
                : onOpen
                  ? { onClick: () => onOpen(id) }
                  : { component: 'div', disabled: true })}
              sx={{
                width: '100%',
                minHeight: 40,
                px: 1.25,
                gap: 1.25,
                borderRadius: 1,
                justifyContent: 'flex-start',
                textAlign: 'left',
                font: 'inherit',
                '&:hover': { bgcolor: 'action.hover' },
                '&.Mui-focusVisible': { outline: 2, outlineColor: 'primary.main', outlineOffset: -2 },
              }}
            >
              {icon && (
                <Box component="span" sx={{ display: 'flex', color: 'text.secondary' }}>
                  {icon}
                </Box>
              )}
              <Box component="span" sx={{ flex: 1, minWidth: 0, fontWeight: 500, overflowWrap: 'anywhere' }}>
                {text}
              </Box>
              {note && (
                <Box component="span" sx={{ color: 'text.secondary', fontSize: 12 }}>
                  {note}
                </Box>
              )}
            </ButtonBase>
          </li>
        ))}
      </Box>
      {matches.length === 0 && (
        <Box role="status" sx={{ px: 2, pb: 2, color: 'text.secondary', fontSize: 13 }}>
          Nothing here is called “{search.trim()}”.
        </Box>
      )}
      {matches.length > shown && (
        <Box sx={{ px: 2, pb: 1.5 }}>
          <Button onClick={() => show(shown + 5 * page)}>SHOW MORE ({formatNumber(matches.length - shown)})</Button>
        </Box>
      )}
    </>
  )
}
