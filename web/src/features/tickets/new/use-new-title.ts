import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm, useWatch } from 'react-hook-form'
import { readKept, useKept } from '../../../lib/forms/drafts/kept.ts'

/** The title of a new ticket: the template's until another one is typed, which is kept in the browser for `place`. */
export function useNewTitle(place: string, startTitle: string) {
  const [kept, setKept] = useState(() => readKept<string>(place))
  const form = useForm({ defaultValues: { Title: '' } })
  const { control, formState, getValues, reset, resetField, setFocus, setValue } = form
  const [isOver, end] = useState(false)
  const title = useWatch({ control, name: 'Title' })
  const onceLeft = useKept(place, isOver || !formState.isDirty || title.trim() === '' ? undefined : title)
  const comeBack = useEffectEvent(() => kept && setValue('Title', kept.value, { shouldDirty: true }))
  useEffect(() => void comeBack(), [])
  const started = useRef('')
  useEffect(() => {
    if (startTitle === started.current || getValues('Title') !== started.current) return
    started.current = startTitle
    reset({ Title: startTitle })
  }, [startTitle, getValues, reset])
  return {
    form,
    /** When the shown title was typed, if that was before the dialog was opened. */
    keptAt: title === '' ? undefined : kept?.at,
    /** Begins again, unless another title than this one has been typed meanwhile. */
    discard: (discarded = getValues('Title')) => {
      setKept(undefined)
      if (getValues('Title') === discarded) resetField('Title')
      setFocus('Title')
    },
    /** Once the dialog is canceled or the ticket created, the title is no longer stored. */
    stopKeeping: () => flushSync(() => end(true)),
    /** Call when a ticket with this title was created, perhaps after the page was left. */
    created: (stored: string) => onceLeft(kept => (kept === stored ? undefined : kept)),
  }
}
