import { useEffect, useState } from 'react'

/** The value once it has not changed for this many milliseconds; the first one at once. */
export function useDebounced<Value extends string | object | undefined>(value: Value, delay: number) {
  const [debounced, set] = useState(value)
  useEffect(() => {
    const timer = setTimeout(set, delay, value)
    return () => clearTimeout(timer)
  }, [value, delay])
  return debounced
}
