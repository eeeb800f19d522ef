import { useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../../../../components/button/button.tsx'
import { IconButton } from '../../../../components/icon-button/icon-button.tsx'
import { AddIcon, CloseIcon } from '../../../../components/icons/icons.tsx'
import { Sortable } from '../../../../components/sortable/sortable.tsx'
import { SortableItem, SortableList } from '../../../../components/sortable/sortable-item.tsx'
import { TextField } from '../../../../components/text-field/text-field.tsx'
import { scaled } from '../../../../lib/display/larger-font.ts'
import { useRowsInSight } from '../../../../lib/display/sight/use-rows-in-sight.ts'
import { keepFocus } from '../../../../lib/input/keep-focus.ts'
import styles from './field-option-list.module.css'
import { type EditedOption, newOption } from './field-options.ts'

interface FieldOptionListProps {
  options: EditedOption[]
  problem: { id: number; message: string } | undefined
  onChange: (options: EditedOption[]) => void
}

/** Up to so many options, all of them are fields at once. */
const few = 100

/**
 * Of a long list, the options that were in sight: only they are fields, because a thousand fields keep the browser busy for seconds. The others are
 * their names.
 */
function useSeen(options: readonly EditedOption[]) {
  const list = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState(scaled(40))
  const [seen, setSeen] = useState<ReadonlySet<number>>(new Set())
  const see = (more: readonly EditedOption[]) => setSeen(now => new Set([...now, ...more.map(({ id }) => id)]))
  const count = options.length
  useLayoutEffect(() => {
    if (list.current?.offsetHeight) setHeight(list.current.offsetHeight / count)
  }, [count])
  const { first, end } = useRowsInSight(list, { count, height, isWhole: count <= few })
  const unseen = options.slice(first, end).filter(({ id }) => !seen.has(id))
  if (unseen.length > 0) see(unseen)
  return { list, seen, see }
}

/** The options of a field: typed, pasted one per line, reordered, removed. */
export function FieldOptionList({ options, problem, onChange }: FieldOptionListProps) {
  const wanted = useRef<number>(undefined)
  const { list, seen, see } = useSeen(options)
  // As any field that is refused; among many options it may be out of sight.
  useLayoutEffect(() => {
    if (problem) list.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [problem, list])
  const insert = (labels: string[], after: number) => {
    const made = labels.map(newOption)
    wanted.current = made.at(-1)?.id
    see(made)
    onChange([...options.slice(0, after + 1), ...made, ...options.slice(after + 1)])
  }
  return (
    <fieldset ref={keepFocus} className={styles.options}>
      <legend className={styles.title}>Options</legend>
      <Sortable
        lists={{ options: options.map(option => option.id) }}
        nameOf={optionId => options.find(option => option.id === optionId)?.label || 'the option'}
        onChange={lists => onChange(lists.options.flatMap(optionId => options.find(option => option.id === optionId) ?? []))}
      >
        {lists => (
          <div ref={list}>
            <SortableList as="ul" list="options">
              {lists.options.map((optionId, index) => {
                const option = options.find(other => other.id === optionId)
                if (!option) return null
                const name = option.label.trim() || `option ${index + 1}`
                if (!seen.has(optionId) && problem?.id !== optionId)
                  return (
                    <li key={optionId} className={styles.unseen}>
                      {option.label}
                    </li>
                  )
                return (
                  <SortableItem as="li" key={optionId} id={optionId} index={index} list="options" name={name} className={styles.option}>
                    {handle => (
                      <div className={styles.line}>
                        {handle}
                        <TextField
                          value={option.label}
                          problem={problem?.id === optionId && problem.message}
                          aria-label={`Option ${index + 1}`}
                          className={styles.label}
                          ref={(element: HTMLInputElement | null) => {
                            if (!element || wanted.current !== optionId) return
                            wanted.current = undefined
                            element.focus()
                          }}
                          onChange={event =>
                            onChange(options.map(other => (other.id === optionId ? { ...other, label: event.target.value } : other)))
                          }
                          onKeyDown={event => {
                            if (event.nativeEvent.isComposing || event.key !== 'Enter' || option.label.trim() === '') return
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
                          small
                          aria-label={`Remove ${name}`}
                          onClick={() => onChange(options.filter(other => other.id !== optionId))}
                        >
                          <CloseIcon fontSize="small" />
                        </IconButton>
                      </div>
                    )}
                  </SortableItem>
                )
              })}
            </SortableList>
          </div>
        )}
      </Sortable>
      <Button onClick={() => insert([''], options.length - 1)}>
        <AddIcon />
        ADD OPTION
      </Button>
    </fieldset>
  )
}
