import { useQuery } from '@tanstack/react-query'
import { limits } from '@tessera/contract/limits'
import { messages } from '@tessera/contract/messages'
import { changePassword } from '@tessera/contract/people/profile'
import { getClientConfig } from '@tessera/contract/people/session'
import { useRef, useState } from 'react'
import { FormDialog } from '../../components/form-dialog/form-dialog.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { notify } from '../../components/toaster/toaster.tsx'
import { callQuery, SessionTimedOut } from '../../lib/calls/api.ts'
import { useCallMutation } from '../../lib/calls/mutations/use-call-mutation.ts'
import styles from './change-password-dialog.module.css'

const nothing = { pass: '', newpass: '', verify: '' }

export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const change = useCallMutation(changePassword)
  const minLength = useQuery(callQuery(getClientConfig, {})).data?.limits.passwordMinLength
  const [{ pass, newpass, verify }, set] = useState(nothing)
  /** Why the last attempt failed; '' without details. */
  const [reason, setReason] = useState<string>()
  const [isCurrentWrong, setCurrentWrong] = useState(false)
  const current = useRef<HTMLInputElement>(null)
  const isDifferent = verify !== '' && newpass !== verify
  const fail = (why: string) => {
    setReason(why)
    notify.error(messages.passwordFailed)
  }
  const submit = () => {
    setReason(undefined)
    setCurrentWrong(false)
    change.mutate(
      { pass, newpass },
      {
        onSuccess: () => {
          notify.clear(messages.passwordFailed)
          notify.success(messages.passwordChanged)
          onClose()
        },
        onError: problem => {
          if (problem instanceof SessionTimedOut) return
          if (problem.code !== 'refused') return fail(problem.message)
          fail('The current password is wrong.')
          setCurrentWrong(true)
          current.current?.focus()
          current.current?.select()
        },
      },
    )
  }
  const field = (name: keyof typeof nothing) => ({
    type: 'password',
    onChange: (event: { target: { value: string } }) => set(now => ({ ...now, [name]: event.target.value })),
    maxLength: limits.password,
  })
  return (
    <FormDialog
      title="Change Password"
      submitLabel="CHANGE"
      disabled={!pass || !newpass || !verify || isDifferent}
      busy={change.isPending}
      isDirty={Boolean(pass || newpass || verify)}
      onSubmit={submit}
      onClose={onClose}
    >
      {reason !== undefined && (
        <div role="alert" className={styles.failure}>
          <strong>{messages.passwordFailedInline}</strong>
          {reason}
        </div>
      )}
      <TextField
        ref={current}
        label="Current password"
        autoComplete="current-password"
        value={pass}
        problem={isCurrentWrong}
        {...field('pass')}
      />
      <TextField
        label="New password"
        autoComplete="new-password"
        value={newpass}
        helperText={minLength && `At least ${minLength} characters`}
        {...field('newpass')}
      />
      <TextField
        label="Verify password"
        autoComplete="new-password"
        value={verify}
        problem={isDifferent && 'Does not match the new password'}
        helperText=" "
        {...field('verify')}
      />
    </FormDialog>
  )
}
