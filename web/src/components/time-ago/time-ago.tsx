import { useEffect, useReducer } from 'react'
import { formatRelative } from '../../lib/display/format.ts'

/** In milliseconds. */
const minute = 60_000

/** How long ago something happened, in seconds since 1970: `3 hours ago`. It stays true on a page that stays open. */
export function TimeAgo({ at }: { at: number }) {
  const [, renew] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(renew, minute)
    return () => clearInterval(timer)
  }, [])
  return formatRelative(at)
}
