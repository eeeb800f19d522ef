import { useState } from 'react'

/** Deep equality; the order of lists matters, that of members does not. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every(key => Object.hasOwn(b, key) && isSame((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]))
  )
}
/** Whether two lists have the same members, in any order. */
export function isSameSet(a: readonly unknown[], b: readonly unknown[]) {
  return a.length === b.length && a.every(member => b.some(other => isSame(member, other)))
}

interface Draft<T> {
  /** The form's value: the loaded value with the edited fields on top. */
  draft: T
  /** The edited fields that differ from the loaded value: exactly what to send. */
  changed: Partial<T>
  isDirty: boolean
  set: (patch: Partial<T>) => void
  /** Drops every change. */
  reset: () => void
  /** Call when `sent` is stored, perhaps in another form: it counts as loaded until the next load brings it. */
  saved: (sent: Partial<T>, stored?: Partial<T>) => void
}

function without<T extends object>(value: Partial<T>, drop: (key: keyof T) => boolean) {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !drop(key as keyof T))) as Partial<T>
}

/**
 * A form's working copy of a loaded value. A new load updates the untouched fields; edited ones stay as typed. Remount it (`key`) for another entity.
 * `typed` is what was edited before this page was loaded.
 */
export function useDraft<T extends object>(loaded: T, typed: Partial<T> = {}): Draft<T> {
  const [touched, setTouched] = useState(typed)
  const [settled, setSettled] = useState<{ over: T; values: Partial<T> }>({ over: loaded, values: {} })
  const base = settled.over === loaded ? { ...loaded, ...settled.values } : loaded
  const isUnchanged = (key: keyof T, value: unknown) => isSame(value, base[key])
  const changed = without<T>(touched, key => isUnchanged(key, touched[key]))
  return {
    draft: { ...base, ...changed },
    changed,
    isDirty: Object.keys(changed).length > 0,
    set: patch => setTouched(now => without<T>({ ...now, ...patch }, key => isUnchanged(key, { ...now, ...patch }[key]))),
    reset: () => setTouched({}),
    saved: (sent, stored = sent) => {
      setTouched(now => without<T>(now, key => Object.hasOwn(sent, key) && isSame(now[key], sent[key])))
      setSettled(now => ({ over: loaded, values: { ...(now.over === loaded ? now.values : {}), ...stored } }))
    },
  }
}
