import { useId, useState } from 'react'
import { Button } from '../../components/button/button.tsx'
import { Dialog, DialogActions, DialogContent, DialogTitle } from '../../components/dialog/dialog.tsx'
import { hasUnsaved } from '../../lib/forms/unsaved.ts'

/** Another tab signed in as somebody else: this page would act for the wrong person, so it must be reloaded. */
export function IdentityDialog() {
  const id = useId()
  const [isUnsaved] = useState(hasUnsaved)
  return (
    <Dialog onClose={() => undefined} role="alertdialog" maxWidth="xs" aria-labelledby={`${id}title`} aria-describedby={`${id}text`}>
      <DialogTitle id={`${id}title`}>Somebody else signed in</DialogTitle>
      <DialogContent>
        <p id={`${id}text`} style={{ color: 'var(--text-dim)' }}>
          Another account or organization was signed in to from this browser. Nothing was saved under it. Reload the page to continue.
          {isUnsaved && ' Unsaved changes on this page will be lost.'}
        </p>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={() => window.location.assign('/home')}>
          RELOAD
        </Button>
      </DialogActions>
    </Dialog>
  )
}
