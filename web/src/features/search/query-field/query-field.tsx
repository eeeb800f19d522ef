import { type Ref, useEffect, useEffectEvent, useId, useImperativeHandle, useRef, useState } from 'react'
import { IconButton } from '../../../components/icon-button/icon-button.tsx'
import { CloseIcon, SearchIcon, stroke } from '../../../components/icons/icons.tsx'
import { Tooltip } from '../../../components/tooltip/tooltip.tsx'
import type { CallError } from '../../../lib/calls/api.ts'
import { classNames } from '../../../lib/display/class-names.ts'
import { type Chip, chipsOf, withChip } from './chips.ts'
import { problemOfAnswer, problemOfText } from './problem.ts'
import { QueryChips } from './query-chips.tsx'
import styles from './query-field.module.css'
import { QueryInput } from './query-input.tsx'
import { QueryProblemText } from './query-problem.tsx'

const ChipsIcon = stroke('M4 7.5h7v4H4zM14 7.5h6v4h-6zM4 14.5h10v4H4z')

interface QueryFieldProps {
  /** The query that is asked. */
  value: string
  /** Gets a query when the typing rests, at Enter, and with every chip; never a text that is no query. */
  onChange: (query: string) => void
  /** The error of asking it; one about the query is shown here. */
  error?: CallError | null | undefined
  /** Only this project's fields and values are suggested. */
  idProject?: number | undefined
  /** Names it for screen readers. */
  label?: string
  placeholder?: string
  takesFocus?: boolean
  className?: string | undefined
  /** Gets what puts the focus into the field. */
  ref?: Ref<{ focus: () => void }> | undefined
}

const debounce = 300
const stored = 'tessera.query-chips'

/**
 * A query of the query language, as text or as chips: two faces of one query. The text is what counts; the chips are read from it, and a chip that
 * changes writes it anew.
 */
export function QueryField(props: QueryFieldProps) {
  const { value, onChange, error, idProject, label = 'Query', placeholder = 'Words, state:open, assignee:me …', takesFocus = false } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLDivElement>(null)
  useImperativeHandle(props.ref, () => ({ focus: () => box.current?.querySelector<HTMLInputElement>('[role=combobox]')?.focus() }), [])
  const [draft, setDraft] = useState(value)
  const [rest, setRest] = useState('')
  const [wantsChips, setWantsChips] = useState(() => localStorage.getItem(stored) === 'on')
  // While somebody types, an unfinished term is no mistake.
  const [isFinished, setFinished] = useState(true)
  const [isSuggesting, setSuggesting] = useState(false)
  const told = useRef(value)

  const tell = useEffectEvent((query: string) => {
    if (query === told.current || problemOfText(query)) return
    told.current = query
    onChange(query)
  })
  useEffect(() => {
    const timer = setTimeout(() => tell(draft), draft === '' ? 0 : debounce)
    return () => clearTimeout(timer)
  }, [draft])
  // A view that was loaded or an address that was opened shows here as well.
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    setDraft(value)
    setFinished(true)
  }, [value])

  const change = (query: string) => {
    setDraft(query)
    setFinished(true)
    tell(query)
  }
  const local = problemOfText(draft)
  const chips: Chip[] | undefined = wantsChips && !local ? chipsOf(draft) : undefined
  const problem = isSuggesting ? undefined : local ? (isFinished ? local : undefined) : draft === value ? problemOfAnswer(error) : undefined
  const show = (asChips: boolean) => {
    if (asChips) tell(draft)
    else if (rest !== '') {
      setDraft(chips && !problemOfText(rest) ? withChip(chips, chips.length, rest) : `${draft} ${rest}`)
      setRest('')
    }
    setFinished(true)
    setWantsChips(asChips)
    if (asChips) localStorage.setItem(stored, 'on')
    else localStorage.removeItem(stored)
    requestAnimationFrame(() => box.current?.querySelector<HTMLInputElement>('[role=combobox]')?.focus())
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
              ref={input}
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
              box.current?.querySelector<HTMLInputElement>('[role=combobox]')?.focus()
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
          onReplace={name => change(draft.slice(0, problem.position) + name + draft.slice(problem.position + problem.length))}
        />
      )}
    </div>
  )
}
