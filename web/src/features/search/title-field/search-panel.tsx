import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useState } from 'react'
import { ErrorState } from '../../../components/empty-state/error-state.tsx'
import { TypedStatus } from '../../../components/visually-hidden/typed-status.tsx'
import { hasModifier } from '../../../lib/input/keys/has-modifier.ts'
import { navigate } from '../../../lib/navigation/navigation.ts'
import { PageLink } from '../../../lib/navigation/page-link.tsx'
import { useSession } from '../../../lib/session/session.tsx'
import { QueryProblemText } from '../query-field/query-problem.tsx'
import { useSuggestions } from '../query-field/use-suggestions.ts'
import { isKeyOf, spokenCount, wordsToMark } from '../results/found.ts'
import { allOptions, allPath, type Option, suggestionOption, ticketOption } from './panel-options.tsx'
import styles from './search-panel.module.css'
import { useFound } from './use-found.ts'

interface SearchPanelProps {
  /** Of the list. */
  id: string
  text: string
  caret: number
  onText: (text: string) => void
  /** The text for which Enter was pressed. */
  entered: string | undefined
  onActive: (id: string | undefined) => void
  /** Set to a handler that gets the field's keys first. */
  onKey: RefObject<((event: KeyboardEvent) => void) | undefined>
  /** Called when something was chosen. */
  onDone: () => void
  /** Used by `lazy` when the panel cannot be loaded. */
  onClose: () => void
}

/** Maximum number of suggestions before the tickets: a few more letters narrow them down. */
const mostSuggestions = 4

/** The results while typing in the title bar. */
export function SearchPanel({ id, text, caret, onText, entered, onActive, onKey, onDone }: SearchPanelProps) {
  const { projects, idActiveProject } = useSession()
  const query = text.trim()
  const found = useFound(text)
  const { problem } = found
  // Suggests names only after a `name:` has been begun: plain words are not the beginning of one.
  const isNaming = /(^|[\s(-])[A-Za-z0-9_]+:[^\s()]*$/.test(text.slice(0, caret))
  const typed = useMemo(() => (isNaming ? { text, caret } : undefined), [isNaming, text, caret])
  const suggestions = useSuggestions(typed, undefined).slice(0, mostSuggestions)
  const tickets = found.answer?.Tickets ?? []
  const isNothing = found.isCurrent && found.answer?.Total === 0
  const words = wordsToMark(query, found.answer?.Also)
  const [first] = tickets
  const named = first && isKeyOf(query, first) ? first : undefined
  const activeProject = projects.find(({ id: one }) => one === idActiveProject)
  const options: Option[] = [
    ...suggestions.map(suggestion => suggestionOption(suggestion, text)),
    ...tickets.map(ticket => ticketOption(ticket, words, projects)),
    ...(query === '' || problem || isNothing ? [] : allOptions(query, found.answer, projects.length > 1 ? activeProject : undefined)),
  ]
  const [moved, move] = useState<{ query: string; key: string }>()
  // If the text has become another ticket's key, it leads there.
  const activeKey = moved?.query === query && options.some(({ key }) => key === moved.key) ? moved.key : named && `ticket-${named.id}`
  const idOf = (key: string) => `${id}-${key}`

  const choose = (option: Option) => {
    if (option.text !== undefined) return onText(option.text)
    onDone()
    if (option.to) void navigate(option.to)
  }
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const at = options.findIndex(({ key }) => key === activeKey)
    if (hasModifier(event) || options.length === 0) return
    const step = { ArrowDown: at === options.length - 1 ? 0 : at + 1, ArrowUp: at <= 0 ? options.length - 1 : at - 1 }[event.key]
    const [suggestion] = suggestions
    if (step !== undefined) move({ query, key: options[step]?.key ?? '' })
    else if (event.key === 'Enter' && moved?.query === query && at >= 0) choose(options[at] as Option)
    else if (event.key === 'Tab' && suggestion) choose(options[Math.max(0, Math.min(at, suggestions.length - 1))] as Option)
    else return
    event.preventDefault()
  })
  useLayoutEffect(() => {
    onKey.current = handleKey
    return () => {
      onKey.current = undefined
    }
  }, [onKey])
  useEffect(() => {
    onActive(activeKey && idOf(activeKey))
    if (activeKey) document.getElementById(idOf(activeKey))?.scrollIntoView({ block: 'nearest' })
  }, [id, activeKey, onActive])

  const submit = useEffectEvent(() => {
    onDone()
    void navigate(named ? `/view-ticket/${named.id}` : allPath(query))
  })
  const isDecided = entered !== undefined && entered.trim() === query && (found.isCurrent || found.problem || found.error)
  useEffect(() => {
    if (isDecided) submit()
  }, [isDecided])

  return (
    <div className={styles.panel}>
      <TypedStatus>{found.isCurrent ? spokenCount(found.answer) : ''}</TypedStatus>
      {query === '' && (
        <p className={styles.note}>
          Words, a key such as {activeProject?.shortcode ?? 'OPS'}-42, or names: <code>assignee:me is:open</code>
        </p>
      )}
      {problem && suggestions.length === 0 && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the field keeps the focus
        <div className={styles.note} onMouseDown={event => event.preventDefault()}>
          <QueryProblemText
            id={`${id}-problem`}
            text={query}
            problem={problem}
            onReplace={name => onText(query.slice(0, problem.position) + name + query.slice(problem.position + problem.length))}
          />
        </div>
      )}
      {found.error && <ErrorState dense message={found.error.message} onRetry={found.retry} />}
      {isNothing && suggestions.length === 0 && <p className={styles.note}>Nothing was found.</p>}
      {found.answer?.Also && (
        <p className={styles.note}>
          also: <b>{found.answer.Also.join(', ')}</b>
        </p>
      )}
      <div role="listbox" id={id} aria-label="Search results" className={styles.list} data-stale={found.isStale || undefined}>
        {options.map(option => (
          <PageLink
            key={option.key}
            id={idOf(option.key)}
            role="option"
            aria-selected={option.key === activeKey}
            tabIndex={-1}
            to={option.to ?? '#'}
            className={styles.option}
            // The field keeps the focus.
            onMouseDown={event => event.preventDefault()}
            onClick={event => {
              if (option.to === undefined) {
                event.preventDefault()
                choose(option)
              } else if (!(event.ctrlKey || event.metaKey || event.shiftKey)) onDone()
            }}
          >
            {option.content}
          </PageLink>
        ))}
      </div>
    </div>
  )
}
