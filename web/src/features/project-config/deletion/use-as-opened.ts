import { useState } from 'react'

/** The value as it was when the dialog was opened: the page's list loses what somebody else deletes meanwhile. */
export function useAsOpened<T>(now: T): T {
  const [opened] = useState(now)
  return opened
}
