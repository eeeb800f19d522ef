import { styled } from '@mui/material/styles'

/** A plain table of a card: rows of 36 px behind hairlines. */
export const DataTable = styled('table')(({ theme: { vars } }) => ({
  // What is only for screen readers stays inside.
  position: 'relative',
  width: '100%',
  borderCollapse: 'collapse',
  fontSize: 13,
  lineHeight: '18px',
  '& th, & td': { height: 36, padding: '0 8px', textAlign: 'left', borderBottom: `1px solid ${vars.palette.hairline}` },
  '& tbody tr:last-of-type > *': { borderBottom: 0 },
  '& thead th': { fontSize: 12, fontWeight: 600, color: vars.palette.text.secondary, whiteSpace: 'nowrap' },
  '& tr > :first-child': { paddingLeft: 12 },
  '& tr > :last-child': { paddingRight: 16 },
  '& tbody th': { fontWeight: 500 },
  '& td, & tbody th': { overflowWrap: 'anywhere' },
  // More lines than one keep off the hairlines.
  '& tbody th, & tbody td:not(.tight)': { paddingBlock: 4 },
  '& tbody tr[data-clickable]': { cursor: 'pointer' },
  '& tbody tr[data-clickable]:hover': { backgroundColor: vars.palette.action.hover },
  '& tbody tr[data-chosen]': { backgroundColor: vars.palette.soft },
  '& tbody tr[data-dragging]': { backgroundColor: vars.palette.soft, boxShadow: '0 4px 16px rgb(0 0 0 / 0.16)' },
  // What opens a row by keyboard looks like the text it is.
  '& .row-button': {
    all: 'unset',
    cursor: 'pointer',
    fontWeight: 500,
    borderRadius: 4,
    '&:focus-visible': { outline: `2px solid ${vars.palette.primary.main}`, outlineOffset: 2 },
  },
  '& .tight': { width: 1, paddingInline: 0, whiteSpace: 'nowrap' },
  '& .number': { textAlign: 'right' },
}))
