import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import TextField from '@mui/material/TextField'
import { useId, useRef } from 'react'
import { AddIcon, CloseIcon } from '../../components/icons.tsx'
import { Sortable, SortableItem, SortableList } from '../../components/sortable.tsx'
import { type EditedOption, newOption } from './field-options.ts'

interface FieldOptionListProps {
  options: EditedOption[]
  problem: { id: number; message: string } | undefined
  onChange: (options: EditedOption[]) => void
}

/** The choices of a field: typed, pasted a line each, put in order, removed. */
export function FieldOptionList({ options, problem, onChange }: FieldOptionListProps) {
  const id = useId()
  const wanted = useRef<number>(undefined)
  const insert = (labels: string[], after: number) => {
    const made = labels.map(newOption)
    wanted.current = made.at(-1)?.id
    onChange([...options.slice(0, after + 1), ...made, ...options.slice(after + 1)])
  }
  return (
    <Box role="group" aria-labelledby={id}>
      <Box id={id} sx={{ mb: 0.75, fontSize: 12, fontWeight: 600, color: 'text.secondary' }}>
        Options
      </Box>
      <Sortable
        lists={{ options: options.map(option => option.id) }}
        nameOf={optionId => options.find(option => option.id === optionId)?.label || 'the option'}
        onChange={lists => onChange(lists.options.flatMap(optionId => options.find(option => option.id === optionId) ?? []))}
      >
        {lists => (
          <SortableList as="ul" list="options" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
            {lists.options.map((optionId, index) => {
              const option = options.find(other => other.id === optionId)
              if (!option) return null
              const name = option.label.trim() || `option ${index + 1}`
              return (
                <SortableItem as="li" key={optionId} id={optionId} index={index} list="options" name={name} style={{ marginBottom: 6 }}>
                  {handle => (
                    <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
                      {handle}
                      <TextField
                        hiddenLabel
                        value={option.label}
                        error={problem?.id === optionId}
                        helperText={problem?.id === optionId && problem.message}
                        slotProps={{ htmlInput: { 'aria-label': `Option ${index + 1}` } }}
                        inputRef={(element: HTMLInputElement | null) => {
                          if (!element || wanted.current !== optionId) return
                          wanted.current = undefined
                          element.focus()
                        }}
                        onChange={event =>
                          onChange(options.map(other => (other.id === optionId ? { ...other, label: event.target.value } : other)))
                        }
                        onKeyDown={event => {
                          if (event.key !== 'Enter' || option.label.trim() === '') return
                          event.preventDefault()
                          insert([''], index)
                        }}
                        onPaste={event => {
                          const lines = event.clipboardData
                            .getData('text')
                            .split(/\r?\n/)
                            .map(line => line.trim())
                          const labels = lines.filter(line => line !== '')
                          if (labels.length < 2 || option.label !== '') return
                          event.preventDefault()
                          const made = labels.map(newOption)
                          onChange([...options.slice(0, index), ...made, ...options.slice(index + 1)])
                        }}
                      />
                      <IconButton
                        size="small"
                        aria-label={`Remove ${name}`}
                        onClick={() => onChange(options.filter(other => other.id !== optionId))}
                      >
                        <CloseIcon fontSize="small" />
                      </IconButton>
                    </Box>
                  )}
                </SortableItem>
              )
            })}
          </SortableList>
        )}
      </Sortable>
      <Button startIcon={<AddIcon />} onClick={() => insert([''], options.length - 1)}>
        ADD OPTION
      </Button>
    </Box>
  )
}
