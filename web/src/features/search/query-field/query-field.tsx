import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { IconButton } from '../../../components/icon-button/icon-button.tsx'
import { CloseIcon, SearchIcon, stroke } from '../../../components/icons/icons.tsx'
import { Tooltip } from '../../../components/tooltip/tooltip.tsx'
import type { CallError } from '../../../lib/calls/api.ts'
import { classNames } from '../../../lib/display/class-names.ts'
import { storeLocally } from '../../../lib/state/store-locally.ts'
import { type Chip, chipsOf, withChip } from './chips.ts'
import { problemOfAnswer, problemOfText } from './problem.ts'
import { QueryChips } from './query-chips.tsx'
import styles from './query-field.module.css'
import { QueryInput } from './query-input.tsx'
import { QueryProblemText } from './query-problem.tsx'

const ChipsIcon = stroke('M4 7.5h7v4H4zM14 7.5h6v4h-6zM4 14.5h10v4H4z')

interface QueryFieldProps {
  /** The current query. */
  value: string
  /** Called with the query when typing pauses, on Enter, and with every chip; never with an invalid query. */
  onChange: (query: string) => void
  /** The error of the call with this query; shown here if it is about the query. */
  error?: CallError | null | undefined
  /** Only this project's fields and values are suggested. */
  idProject?: number | undefined
  /** Names it for screen readers. */
  label?: string
  takesFocus?: boolean
  className?: string | undefined
}

const debounce = 300
const stored = 'tessera.query-chips'
const placeholder = 'Words, is:open, assignee:me …'

/**
 * A query of the query language, shown as text or as chips. The text is the state: chips are parsed from it, and changing a chip rewrites it.
 */
export function QueryField(props: QueryFieldProps) {
  const { value, onChange, error, idProject, label = 'Query', takesFocus = false } = props
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const focus = () => box.current?.querySelector<HTMLInputElement>('[role=combobox]')?.focus()
  const [draft, setDraft] = useState(value)
  const [rest, setRest] = useState('')
  const [wantsChips, setWantsChips] = useState(() => localStorage.getItem(stored) === 'on')
  // An unfinished term is not an error while it is being typed.
  const [isFinished, setFinished] = useState(true)
  const [isSuggesting, setSuggesting] = useState(false)
  const reported = useRef(value)

  const report = useEffectEvent((query: string) => {
    if (query === reported.current || problemOfText(query)) return
    reported.current = query
    onChange(query)
  })
  useEffect(() => {
    const timer = setTimeout(() => report(draft), draft === '' ? 0 : debounce)
    return () => clearTimeout(timer)
  }, [draft])
  // Also shows what came from a loaded view or an opened address.
  useEffect(() => {
    if (value === reported.current) return
    reported.current = value
    setDraft(value)
    setFinished(true)
  }, [value])

  const change = (query: string) => {
    setDraft(query)
    setFinished(true)
    report(query)
  }
  const local = problemOfText(draft)
  const chips: Chip[] | undefined = wantsChips && !local ? chipsOf(draft) : undefined
  const problemInSight = () => {
    if (isSuggesting) return undefined
    if (local) return isFinished ? local : undefined
    return draft === value ? problemOfAnswer(error) : undefined
  }
  const problem = problemInSight()
  const show = (asChips: boolean) => {
    flushSync(() => {
      if (asChips) report(draft)
      else if (rest !== '') {
        setDraft(chips && !problemOfText(rest) ? withChip(chips, chips.length, rest) : `${draft} ${rest}`)
        setRest('')
      }
      setFinished(true)
      setWantsChips(asChips)
    })
    storeLocally(stored, asChips ? 'on' : '')
    focus()
  }
  return (
    <div className={props.className}>
      <div ref={box} className={classNames(styles.box, problem && styles.isWrong)}>
        <span className={styles.icon}>
          <SearchIcon fontSize="small" />
        </span>
        <div className={styles.terms}>
          {chips ? (
            <QueryChips
              chips={chips}
              onChange={change}
              rest={rest}
              onRest={setRest}
              label={label}
              idProject={idProject}
              placeholder={placeholder}
            />
          ) : (
            <QueryInput
              takesFocus={takesFocus}
              className={styles.rest}
              label={label}
              text={draft}
              onText={text => {
                setDraft(text)
                setFinished(false)
              }}
              idProject={idProject}
              placeholder={placeholder}
              isWrong={problem !== undefined}
              describedBy={problem && id}
              onSuggesting={setSuggesting}
              onEnter={() => change(draft)}
              onBlur={() => change(draft)}
            />
          )}
        </div>
        {(draft !== '' || rest !== '') && (
          <IconButton
            small
            aria-label={`Clear ${label}`}
            onClick={() => {
              setRest('')
              change('')
              focus()
            }}
          >
            <CloseIcon fontSize="small" />
          </IconButton>
        )}
        <Tooltip title={wantsChips ? 'Edit as text' : 'Show as chips'}>
          <IconButton small aria-label="Chips" aria-pressed={wantsChips} onClick={() => show(!wantsChips)}>
            <ChipsIcon fontSize="small" />
          </IconButton>
        </Tooltip>
      </div>
      {problem && (
        <QueryProblemText
          id={id}
          text={draft}
          problem={problem}
          onReplace={name => {
            change(draft.slice(0, problem.position) + name + draft.slice(problem.position + problem.length))
            focus()
          }}
        />
      )}
    </div>
  )
}
