import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'

/** Another tab signed in as somebody else: this page would act for the wrong person, so it must load again. */
export function IdentityDialog() {
  const id = useId()
  return (
    <Dialog open role="alertdialog" maxWidth="xs" fullWidth aria-labelledby={`${id}title`} aria-describedby={`${id}text`}>
      <DialogTitle id={`${id}title`}>Somebody else signed in</DialogTitle>
      <DialogContent>
        <DialogContentText id={`${id}text`}>
          Another account or organization was signed in to from this browser. Nothing was saved under it. Load the page again to go on.
        </DialogContentText>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={() => window.location.assign('/home')}>
          RELOAD
        </Button>
      </DialogActions>
    </Dialog>
  )
}
