import { useEffect, useState } from 'react'
import { todayOf } from '../../../../lib/display/days.ts'

/** In milliseconds. */
const minute = 60_000

/** Today; it changes at midnight, also on a page that stays open. */
export function useToday() {
  const [today, setToday] = useState(() => todayOf())
  useEffect(() => {
    const timer = setInterval(() => setToday(todayOf()), minute)
    return () => clearInterval(timer)
  }, [])
  return today
}
