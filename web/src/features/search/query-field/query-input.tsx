import {
  type KeyboardEvent,
  type Ref,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { List } from '../../../components/autocomplete/list.tsx'
import { TypedStatus } from '../../../components/visually-hidden/typed-status.tsx'
import { counted } from '../../../lib/display/format.ts'
import styles from './query-field.module.css'
import { type Suggestion, type Typed, useSuggestions } from './use-suggestions.ts'

interface QueryInputProps {
  text: string
  onText: (text: string) => void
  /** Names it for screen readers. */
  label: string
  /** Only this project's fields and values are suggested. */
  idProject: number | undefined
  placeholder?: string | undefined
  isWrong?: boolean
  /** The id of the element with the error message. */
  describedBy?: string | undefined
  onEnter: () => void
  /** Escape while no suggestions are shown. */
  onEscape?: (() => void) | undefined
  /** Backspace in an empty field. */
  onBackspace?: (() => void) | undefined
  onBlur?: (() => void) | undefined
  /** Called when suggestions appear or disappear. */
  onSuggesting?: ((isSuggesting: boolean) => void) | undefined
  /** Takes the focus when it appears. */
  takesFocus?: boolean
  className?: string | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

/** Whether the text at the caret can be completed: suggesting every name after each blank would be annoying. */
function isAtTerm({ text, caret }: Typed) {
  return caret > 0 && !/[\s()]/.test(text[caret - 1] as string)
}

/** A one-line input for a query, with suggestions for the text at the caret. */
export function QueryInput(props: QueryInputProps) {
  const { text, onText, label, idProject, placeholder, isWrong = false, describedBy, takesFocus = false, className } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useImperativeHandle(props.ref, () => input.current as HTMLInputElement, [])
  const box = useRef<HTMLDivElement>(null)
  // Before the first paint: what is typed then would start a shortcut.
  useLayoutEffect(() => {
    if (!takesFocus) return
    input.current?.focus()
    input.current?.setSelectionRange(input.current.value.length, input.current.value.length)
  }, [takesFocus])
  const [typed, setTyped] = useState<Typed>()
  const [active, setActive] = useState(-1)
  const suggestions = useSuggestions(typed, idProject)
  const isOpen = suggestions.length > 0
  const chosen = Math.min(active, suggestions.length - 1)

  const tell = useEffectEvent(() => props.onSuggesting?.(isOpen))
  useEffect(() => tell(), [isOpen])

  const ask = (next: Typed | undefined) => {
    setActive(-1)
    setTyped(next)
  }
  const take = ({ Text, From, To }: Suggestion) => {
    const after = text.slice(To)
    const next = `${text.slice(0, From)}${Text}${after}`
    const caret = From + Text.length
    onText(next)
    // A completed name is followed by its values.
    ask(Text.endsWith(':') ? { text: next, caret } : undefined)
    requestAnimationFrame(() => input.current?.setSelectionRange(caret, caret))
  }
  const step = (isDown: boolean) => {
    if (!isOpen) return ask({ text, caret: input.current?.selectionStart ?? text.length })
    const last = suggestions.length - 1
    if (isDown) setActive(chosen === last ? 0 : chosen + 1)
    else setActive(chosen <= 0 ? last : chosen - 1)
  }
  const enter = () => {
    ask(undefined)
    props.onEnter()
  }
  /** What the key does, unless that is up to the browser. */
  const actionOf = ({ key, shiftKey, ctrlKey, altKey, metaKey }: KeyboardEvent) => {
    const isPlain = !shiftKey && !ctrlKey && !altKey && !metaKey
    if (isPlain && (key === 'ArrowDown' || key === 'ArrowUp')) return () => step(key === 'ArrowDown')
    if (isPlain && isOpen && (key === 'Tab' || (key === 'Enter' && chosen >= 0)))
      return () => take(suggestions[Math.max(0, chosen)] as Suggestion)
    if (key === 'Enter') return enter
    if (key === 'Escape') return isOpen ? () => ask(undefined) : props.onEscape
    return key === 'Backspace' && text === '' ? props.onBackspace : undefined
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const act = event.nativeEvent.isComposing ? undefined : actionOf(event)
    if (!act) return
    event.preventDefault()
    // Keeps the surrounding dialog open.
    if (event.key === 'Escape') event.stopPropagation()
    act()
  }
  return (
    <div ref={box} className={className}>
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={isOpen && chosen >= 0 ? `${id}-${chosen}` : undefined}
        aria-invalid={isWrong || undefined}
        aria-describedby={describedBy}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="search"
        placeholder={placeholder}
        className={styles.input}
        value={text}
        onChange={({ target }) => {
          const next = { text: target.value, caret: target.selectionStart ?? target.value.length }
          onText(next.text)
          ask(isAtTerm(next) ? next : undefined)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          ask(undefined)
          props.onBlur?.()
        }}
      />
      <TypedStatus>{isOpen ? counted(suggestions.length, 'suggestion') : ''}</TypedStatus>
      {isOpen && (
        <List id={`${id}-list`} anchor={box} name={{ 'aria-label': 'Suggestions' }} isMultiple={false} active={chosen}>
          {suggestions.map((suggestion, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus
            <div
              key={suggestion.Text}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === chosen}
              data-active={index === chosen || undefined}
              className={styles.entry}
              onPointerMove={() => setActive(index)}
              onClick={() => take(suggestion)}
            >
              <span className={styles.insert}>{suggestion.Text}</span>
              <Meaning {...suggestion} />
            </div>
          ))}
        </List>
      )}
    </div>
  )
}

/** What a suggestion means, unless its text says so. */
function Meaning({ Text, Label }: Suggestion) {
  const isPlain = Label.toLowerCase() === Text.replace(/:$/, '').replaceAll('"', '').toLowerCase()
  return !isPlain && <span className={styles.meaning}>{Label}</span>
}
