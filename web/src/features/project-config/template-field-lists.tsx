import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { type ReactNode, useState } from 'react'
import { AddIcon, CloseIcon } from '../../components/icons.tsx'
import { Sortable, SortableItem, SortableList } from '../../components/sortable.tsx'

interface TemplateFieldListsProps {
  /** The template's fields in order. */
  chosen: number[]
  fields: readonly { id: number; Label: string }[]
  /** The fields a template may get, in the project's order. */
  offered: readonly number[]
  onChange: (chosen: number[]) => void
}

/** 'Form Fields' and 'Available Fields': drag between them and within, or use the buttons. */
export function TemplateFieldLists({ chosen, fields, offered, onChange }: TemplateFieldListsProps) {
  // The order that dragging gave the available fields lasts as long as the dialog.
  const [order, setOrder] = useState(offered)
  const known = [...order.filter(id => offered.includes(id)), ...offered.filter(id => !order.includes(id))]
  const lists = { form: chosen, available: known.filter(id => !chosen.includes(id)) }
  const nameOf = (id: number) => fields.find(field => field.id === id)?.Label ?? ''
  const item = (list: 'form' | 'available') => (id: number, index: number) => (
    <SortableItem as="li" key={id} id={id} index={index} list={list} name={nameOf(id)}>
      {handle => (
        <Box
          sx={{
            display: 'flex',
            alignItems: 'center',
            gap: 0.5,
            minHeight: 34,
            pl: 0.5,
            pr: 0.75,
            border: 1,
            borderColor: 'divider',
            borderRadius: 1,
            bgcolor: 'background.paper',
            fontSize: 13,
            '[data-dragging] > &': { borderColor: 'primary.main', boxShadow: '0 6px 16px rgb(0 0 0 / 0.16)' },
          }}
        >
          {handle}
          <Box component="span" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
            {nameOf(id)}
          </Box>
          <IconButton
            size="small"
            aria-label={list === 'form' ? `Remove ${nameOf(id)} from the form` : `Add ${nameOf(id)} to the form`}
            onClick={() => onChange(list === 'form' ? chosen.filter(other => other !== id) : [...chosen, id])}
          >
            {list === 'form' ? <CloseIcon fontSize="small" /> : <AddIcon fontSize="small" />}
          </IconButton>
        </Box>
      )}
    </SortableItem>
  )
  return (
    <Sortable
      lists={lists}
      nameOf={nameOf}
      listNames={{ form: 'Form Fields', available: 'Available Fields' }}
      onChange={({ form, available }) => {
        setOrder([...available, ...form])
        onChange(form)
      }}
    >
      {shown => (
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
          <FieldList title="Form Fields" list="form" hint={shown.form.length === 0 ? 'Drag a field here, or press + beside it' : undefined}>
            {shown.form.map(item('form'))}
          </FieldList>
          <FieldList
            title="Available Fields"
            list="available"
            hint={
              shown.available.length === 0
                ? fields.length === 0
                  ? 'This project has no fields yet'
                  : 'Every field is in the form'
                : undefined
            }
          >
            {shown.available.map(item('available'))}
          </FieldList>
        </Box>
      )}
    </Sortable>
  )
}

interface FieldListProps {
  title: string
  list: 'form' | 'available'
  hint: string | undefined
  children: ReactNode
}

function FieldList({ title, list, hint, children }: FieldListProps) {
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', minWidth: 0 }}>
      <Box id={`fields-${list}`} sx={{ mb: 0.75, fontSize: 12, fontWeight: 600, color: 'text.secondary' }}>
        {title}
      </Box>
      <Box
        sx={{
          position: 'relative',
          flex: 1,
          maxHeight: 320,
          overflowY: 'auto',
          border: 1,
          borderColor: 'divider',
          borderRadius: 1,
          bgcolor: 'background.default',
          '& > ul': {
            display: 'grid',
            alignContent: 'start',
            gap: '6px',
            boxSizing: 'border-box',
            minHeight: 120,
            height: '100%',
            m: 0,
            p: 1,
            listStyle: 'none',
          },
          '& > [data-drop-target]': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: -2, borderRadius: 1 },
        }}
      >
        <SortableList as="ul" list={list} aria-labelledby={`fields-${list}`}>
          {children}
        </SortableList>
        {hint && (
          <Box
            sx={{
              position: 'absolute',
              inset: 0,
              display: 'grid',
              placeItems: 'center',
              p: 2,
              textAlign: 'center',
              fontSize: 13,
              color: 'text.secondary',
              pointerEvents: 'none',
            }}
          >
            {hint}
          </Box>
        )}
      </Box>
    </Box>
  )
}
