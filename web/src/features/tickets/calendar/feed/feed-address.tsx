import { useState } from 'react'
import { Alert } from '../../../../components/alert/alert.tsx'
import { Button } from '../../../../components/button/button.tsx'
import { TextField } from '../../../../components/text-field/text-field.tsx'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { copyText } from '../../../../lib/input/copy-text.ts'
import styles from './calendar-feeds.module.css'

/** An address that was just made. */
export interface MadeAddress {
  idFeed: number
  name: string
  address: string
}

/** The address of a feed, just after it was made: the only time that it is shown. */
export function FeedAddress({ made: { name, address } }: { made: MadeAddress }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    const isDone = await copyText(address)
    setCopied(isDone)
    if (!isDone) notify.error('The address could not be copied: select it and copy it')
  }
  return (
    <div className={styles.address}>
      <Alert severity="warning">Copy the address now. It is secret and is not shown again; you can always make a new one.</Alert>
      <TextField
        ref={focusField}
        label={`Address of ${name}`}
        value={address}
        readOnly
        onFocus={event => event.currentTarget.select()}
        className={styles.field}
      />
      <Button onClick={() => void copy()}>{isCopied ? 'COPIED' : 'COPY'}</Button>
    </div>
  )
}

function focusField(field: HTMLInputElement | null) {
  field?.focus()
}
