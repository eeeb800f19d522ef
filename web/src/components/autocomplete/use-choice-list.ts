import { useEffect, useEffectEvent, useState } from 'react'
import { bestMatches } from '../../lib/forms/best-matches.ts'

export interface Choice {
  id: string | number
  text: string
}

interface ChoiceListOptions<Option extends Choice> {
  options: readonly Option[]
  chosen: readonly Option[]
  /** The text of the input while nothing is typed. */
  rest: string
  /** Choosing toggles an option and leaves the list open. */
  isMultiple: boolean
  /** The options are still loading. */
  loading: boolean
  /** It cannot be opened. */
  isFixed: boolean
  /** The server has filtered the options by this text. */
  text: string | undefined
  onTextChange: ((text: string) => void) | undefined
  onOpen: (() => void) | undefined
  onChoose: (option: Option) => void
}

/** How many options are rendered at first, and how many more each time that the end of these is near. */
const page = 100

/** The list below a combobox: whether it is open, what it shows of the options, and which of them is active. */
export function useChoiceList<Option extends Choice>(list: ChoiceListOptions<Option>) {
  const { options, chosen, rest, isMultiple, loading, isFixed, text, onTextChange, onOpen, onChoose } = list
  const [isOpen, setOpen] = useState(false)
  // Undefined while nothing is typed: the list shows all options.
  const [typed, setTyped] = useState<string>()
  const [active, setActive] = useState(0)
  /** Options that have been scrolled to; thousands would take seconds to render, and again with each key. */
  const [reached, setReached] = useState(0)
  /** Enter was pressed before the options for the typed text came: the first of them is chosen when they do. */
  const [isAwaited, awaitOptions] = useState(false)
  const matches = onTextChange ? options : bestMatches(options, option => option.text, typed ?? '')
  const isChosen = (option: Option) => chosen.some(({ id }) => id === option.id)
  const shown = matches.slice(0, Math.max(reached, active) + page)
  const current = shown[Math.min(active, shown.length - 1)]
  const isOfEarlierText = loading && typed !== undefined && active === 0

  const open = () => {
    if (isOpen || isFixed) return
    setOpen(true)
    onOpen?.()
    setReached(0)
    setActive(Math.max(0, options.findIndex(isChosen)))
  }
  const close = () => {
    setOpen(false)
    setTyped(undefined)
    awaitOptions(false)
    // Typed text without a choice is discarded.
    if (onTextChange && text !== rest) onTextChange(rest)
  }
  const choose = (option: Option) => {
    onChoose(option)
    setTyped(undefined)
    if (isMultiple) return
    setOpen(false)
    onTextChange?.(option.text)
  }
  const chooseAwaited = useEffectEvent(() => {
    if (!isAwaited) return
    awaitOptions(false)
    if (current) choose(current)
  })
  useEffect(() => {
    if (!loading) chooseAwaited()
  }, [loading])

  return {
    isOpen,
    /** Of the input. */
    value: onTextChange ? (text ?? '') : (typed ?? rest),
    isTyping: typed !== undefined && typed !== '',
    /** All options that fit the text. */
    matches,
    /** Those of them that are rendered. */
    shown,
    /** The active option, which Enter chooses. */
    current,
    isChosen,
    open,
    close,
    choose,
    chooseCurrent: () => {
      if (current && !isOfEarlierText) choose(current)
      else awaitOptions(loading)
    },
    activate: setActive,
    step: (by: 1 | -1) => {
      const count = Math.max(1, shown.length)
      setActive((Math.min(active, shown.length - 1) + by + count) % count)
    },
    showMore: () => setReached(shown.length),
    type: (words: string) => {
      setTyped(words)
      setActive(0)
      setReached(0)
      awaitOptions(false)
      setOpen(true)
      onOpen?.()
      onTextChange?.(words)
    },
    forgetText: () => {
      setTyped(undefined)
      onTextChange?.('')
    },
  }
}
