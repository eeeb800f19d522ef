import { messages } from '@tessera/contract/messages'
import { type KeyboardEvent, type ReactNode, type Ref, type SyntheticEvent, useId, useImperativeHandle, useRef, useState } from 'react'
import { FieldFrame, type FieldProps, fieldState } from '../field/field.tsx'
import { ChevronDownIcon, CloseIcon } from '../icons/icons.tsx'
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx'
import styles from './autocomplete.module.css'
import { List } from './list.tsx'
import { type Choice, useChoiceList } from './use-choice-list.ts'

export interface CommonProps<Option extends Choice> extends FieldProps {
  options: readonly Option[]
  placeholder?: string | undefined
  /** Shown when no option matches. */
  emptyText?: string | undefined
  /** The options are still loading. */
  loading?: boolean | undefined
  /** Shown in the list instead of the option's text. */
  renderOption?: ((option: Option) => ReactNode) | undefined
  /** The server has filtered the options by the text: they are shown unfiltered. */
  text?: string | undefined
  onTextChange?: ((text: string) => void) | undefined
  onOpen?: (() => void) | undefined
  disabled?: boolean | undefined
  readOnly?: boolean | undefined
  id?: string | undefined
  'aria-label'?: string | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

interface ComboboxProps<Option extends Choice> extends CommonProps<Option> {
  chosen: readonly Option[]
  /** The text of the input while nothing is typed. */
  rest: string
  /** Choosing toggles an option and leaves the list open. */
  isMultiple?: boolean
  onChoose: (option: Option) => void
  onClear: () => void
  onBackspace?: () => void
  /** Before the input: the selected options. */
  children?: ReactNode
}

/** A text field with a list of options, filtered by what is typed. */
export function Combobox<Option extends Choice>(props: ComboboxProps<Option>) {
  const { label, helperText, problem, className, options, chosen, rest, isMultiple = false, onChoose, onClear, onBackspace } = props
  const { loading = false, emptyText = messages.noItems, placeholder, renderOption, text, onTextChange, onOpen, children } = props
  const { disabled = false, readOnly = false, 'aria-label': ariaLabel } = props
  const isFixed = disabled || readOnly
  const ownId = useId()
  const id = props.id ?? ownId
  const box = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  useImperativeHandle(props.ref, () => input.current as HTMLInputElement, [])
  const list = useChoiceList({ options, chosen, rest, isMultiple, loading, isFixed, text, onTextChange, onOpen, onChoose })
  const { isOpen, matches, shown, current, isChosen, open, close, choose } = list
  /** For screen readers: what a key removed. */
  const [removed, setRemoved] = useState('')

  /** What the key does, unless that is up to the browser. */
  const actionOf = (key: string) => {
    if (key === 'ArrowDown' || key === 'ArrowUp') return isOpen ? () => list.step(key === 'ArrowDown' ? 1 : -1) : open
    if (key === 'Enter' && isOpen) return list.chooseCurrent
    return key === 'Escape' && isOpen ? close : undefined
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // The key belongs to an input method, as in Japanese.
    if (event.nativeEvent.isComposing) return
    const last = chosen.at(-1)
    if (event.key === 'Backspace' && !list.isTyping && last && !readOnly && onBackspace) {
      setRemoved(`${last.text} removed`)
      onBackspace()
    } else setRemoved('')
    const act = actionOf(event.key)
    if (!act) return
    // An Escape keeps the surrounding dialog open.
    event.preventDefault()
    act()
  }
  return (
    <FieldFrame id={id} label={label} helperText={helperText} problem={problem} className={className}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the input does the same by keyboard */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <div
        ref={box}
        className={styles.values}
        onClick={({ target }) => {
          // The button of a selected option disappears with it.
          input.current?.focus()
          if (!(target instanceof Element && target.closest('button'))) open()
        }}
      >
        {children}
        <input
          ref={input}
          id={id}
          role="combobox"
          aria-label={ariaLabel}
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-list` : undefined}
          aria-activedescendant={isOpen && current ? `${id}-${current.id}` : undefined}
          // Of several the input has none as its value.
          aria-description={(isMultiple && chosen.map(({ text }) => text).join(', ')) || undefined}
          {...fieldState(id, { helperText, problem })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          disabled={disabled}
          readOnly={readOnly}
          placeholder={chosen.length > 0 ? undefined : placeholder}
          className={styles.input}
          value={list.value}
          onChange={({ target: { value } }) => {
            list.type(value)
            if (value === '' && !isMultiple && chosen.length > 0) onClear()
          }}
          onKeyDown={onKeyDown}
          onBlur={close}
        />
        {/* A list without options has none that a screen reader could be on. */}
        <VisuallyHidden aria-live="polite">{isOpen && !loading && matches.length === 0 ? '0 found' : removed}</VisuallyHidden>
      </div>
      {chosen.length > 0 && !isFixed && (
        <Tool
          label="Clear"
          onClick={() => {
            onClear()
            list.forgetText()
            input.current?.focus()
          }}
        >
          <CloseIcon fontSize="small" />
        </Tool>
      )}
      {!readOnly && (
        <Tool
          label={isOpen ? 'Close' : 'Open'}
          disabled={disabled}
          keepsFocus
          onClick={() => {
            input.current?.focus()
            if (isOpen) close()
            else open()
          }}
        >
          <ChevronDownIcon fontSize="small" />
        </Tool>
      )}
      {isOpen && (
        <List
          id={`${id}-list`}
          anchor={box}
          name={label ? { 'aria-labelledby': `${id}-label` } : { 'aria-label': ariaLabel }}
          isMultiple={isMultiple}
          active={current?.id}
          onEndNear={list.showMore}
        >
          {matches.length === 0 && (
            // As in a select: a list box may contain nothing but options.
            <div role="option" tabIndex={-1} aria-selected={false} aria-disabled className={styles.none}>
              {loading ? 'Loading…' : emptyText}
            </div>
          )}
          {shown.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus
            <div
              key={option.id}
              id={`${id}-${option.id}`}
              role="option"
              aria-selected={isChosen(option)}
              aria-setsize={matches.length}
              aria-posinset={index + 1}
              data-active={option === current || undefined}
              className={styles.entry}
              onPointerMove={() => list.activate(index)}
              onClick={() => choose(option)}
            >
              {renderOption ? renderOption(option) : option.text}
            </div>
          ))}
        </List>
      )}
    </FieldFrame>
  )
}

interface ToolProps {
  label: string
  disabled?: boolean
  /** The input keeps the focus, and with it the open list. */
  keepsFocus?: boolean
  onClick: () => void
  children: ReactNode
}

/** A small button within the field; by keyboard, the input's own keys do the same. */
export function Tool({ label, disabled = false, keepsFocus = false, onClick, children }: ToolProps) {
  const keep = keepsFocus ? (event: SyntheticEvent) => event.preventDefault() : undefined
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.tool}
      aria-label={label}
      disabled={disabled}
      onPointerDown={keep}
      onMouseDown={keep}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
