import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Whether the page is being laid out for paper. Then what is out of sight is rendered too. */
export function usePrinting() {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    // The browser lays the page out right after this event.
    const onPrint = ({ type }: Event) => flushSync(() => setPrinting(type === 'beforeprint'))
    const ended = new AbortController()
    for (const type of ['beforeprint', 'afterprint']) window.addEventListener(type, onPrint, { signal: ended.signal })
    return () => ended.abort()
  }, [])
  return isPrinting
}
