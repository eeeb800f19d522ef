import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { CloseIcon } from '../../../components/icons/icons.tsx'
import { type Chip, withChip, withoutChip } from './chips.ts'
import { problemOfText } from './problem.ts'
import styles from './query-field.module.css'
import { QueryInput } from './query-input.tsx'

interface QueryChipsProps {
  chips: readonly Chip[]
  /** The query with a chip changed, removed or added. */
  onChange: (text: string) => void
  /** The text after the chips that is not yet a chip. */
  rest: string
  onRest: (rest: string) => void
  label: string
  idProject: number | undefined
  placeholder: string | undefined
}

/** The terms of a query as chips: each can be changed and removed, and more can be added at the end. */
export function QueryChips({ chips, onChange, rest, onRest, label, idProject, placeholder }: QueryChipsProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [edited, edit] = useState<{ index: number; text: string }>()
  const [hasTried, setTried] = useState(false)
  const written = edited?.text ?? rest
  const problem = hasTried ? problemOfText(written) : undefined
  const state = { idProject, isWrong: problem !== undefined, describedBy: problem && id }

  /** Invalid text stays in its field, so that nothing is lost. */
  const finish = () => {
    setTried(true)
    if (problemOfText(written)) return
    setTried(false)
    if (edited) {
      onChange(withChip(chips, edited.index, edited.text))
      edit(undefined)
    } else if (rest.trim() !== '') {
      onChange(withChip(chips, chips.length, rest))
      onRest('')
    }
  }
  const backToInput = () => input.current?.focus()
  return (
    <>
      {chips.map((chip, index) =>
        edited?.index === index ? (
          <QueryInput
            key="edited"
            takesFocus
            className={styles.editor}
            label={`Change ${chip.text}`}
            text={edited.text}
            onText={text => edit({ index, text })}
            onEnter={() => {
              finish()
              if (!problemOfText(written)) backToInput()
            }}
            onBlur={finish}
            onEscape={() => {
              setTried(false)
              // Gone before the focus moves, so that no blur saves what was discarded.
              flushSync(() => edit(undefined))
              backToInput()
            }}
            {...state}
          />
        ) : (
          <span key={`${index} ${chip.text}`} className={styles.chip}>
            <button type="button" aria-label={`Change ${chip.text}`} onClick={() => edit({ index, text: chip.text })}>
              {chip.text}
            </button>
            <button
              type="button"
              aria-label={`Remove ${chip.text}`}
              className={styles.remove}
              onClick={() => {
                onChange(withoutChip(chips, index))
                backToInput()
              }}
            >
              <CloseIcon fontSize="small" />
            </button>
          </span>
        ),
      )}
      <QueryInput
        ref={input}
        className={styles.rest}
        label={label}
        text={rest}
        onText={text => {
          setTried(false)
          onRest(text)
        }}
        placeholder={chips.length === 0 ? placeholder : 'Add a condition'}
        onEnter={finish}
        onBlur={() => !edited && finish()}
        onBackspace={() => {
          const last = chips.at(-1)
          if (last) edit({ index: chips.length - 1, text: last.text })
        }}
        {...(edited ? { idProject } : state)}
      />
      {problem && (
        <span id={id} role="alert" className={styles.chipProblem}>
          {problem.message}
        </span>
      )}
    </>
  )
}
