import { sendWelcomeMail, setUserActive } from '@tessera/contract/people/users'
import { useState } from 'react'
import { Button } from '../../../components/button/button.tsx'
import { ConfirmDialog } from '../../../components/confirm-dialog/confirm-dialog.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { outcome, undo } from '../../../components/toaster/undo.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { OpenTickets } from '../../people/open-tickets.tsx'
import styles from './account-actions.module.css'

interface AccountActionsProps {
  idUser: number
  login: string
  email: string
  account: { Active: 0 | 1; HasPassword: 0 | 1 }
}

/** Actions on an account that take effect at once, without SAVE: sending another welcome mail, deactivating, reactivating. */
export function AccountActions({ idUser, login, email, account }: AccountActionsProps) {
  const { idUser: me } = useSession()
  const [isAsking, ask] = useState(false)
  const welcome = useCallMutation(sendWelcomeMail)
  const setActive = useCallMutation(setUserActive)
  const isActive = account.Active === 1
  const activeWords = account.HasPassword ? 'The account is active.' : 'The account is active; no password is chosen yet.'
  const reactivate = () => setActive.mutateAsync({ idUser, Active: 1 }).then(() => `${login} can sign in again`)
  const deactivate = () =>
    setActive.mutate(
      { idUser, Active: 0 },
      {
        onSuccess: () => notify.success(`${login} is deactivated`, undo(reactivate)),
        onError: problem => notify.failure(problem),
        onSettled: () => ask(false),
      },
    )
  return (
    <section aria-label="Account" className={styles.account}>
      <p className={styles.state}>{isActive ? activeWords : 'The account is deactivated: nobody can sign in with it.'}</p>
      {isActive && account.HasPassword === 0 && email !== '' && (
        <Button
          disabled={welcome.isPending}
          onClick={() => void outcome(welcome.mutateAsync({ idUser }).then(() => `A welcome mail is on its way to ${email}`))}
        >
          SEND WELCOME MAIL
        </Button>
      )}
      {isActive && idUser !== me && (
        <Button danger onClick={() => ask(true)}>
          DEACTIVATE
        </Button>
      )}
      {!isActive && (
        <Button disabled={setActive.isPending} onClick={() => void outcome(reactivate())}>
          REACTIVATE
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        title={`Deactivate ${login}?`}
        confirmLabel="DEACTIVATE"
        busy={setActive.isPending}
        onClose={() => ask(false)}
        onConfirm={deactivate}
      >
        <p className={styles.words}>They are signed out at once and cannot sign in. Their tickets, roles and comments stay.</p>
        <OpenTickets login={login} isInQuestion />
      </ConfirmDialog>
    </section>
  )
}
