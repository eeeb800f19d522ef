import { useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { messages } from '@tessera/contract/messages'
import { getUserData, setUserData } from '@tessera/contract/people/profile'
import { useState } from 'react'
import { Button } from '../../../components/button/button.tsx'
import { LabeledCheckBox } from '../../../components/check-box/check-box.tsx'
import { LoadProblem } from '../../../components/empty-state/load-problem.tsx'
import { KeyIcon } from '../../../components/icons/icons.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { LeaveGuard } from '../../../components/leave-guard/leave-guard.tsx'
import { SectionCard } from '../../../components/section-card/section-card.tsx'
import { Skeleton } from '../../../components/skeleton/skeleton.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { VisuallyHidden } from '../../../components/visually-hidden/visually-hidden.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { useDraft } from '../../../lib/forms/drafts/use-draft.ts'
import { lengthRule } from '../../../lib/forms/field-rules.ts'
import { useActions } from '../../../lib/input/actions.ts'
import styles from './profile-card.module.css'

const ChangePasswordDialog = lazy(async () => (await import('../change-password-dialog.tsx')).ChangePasswordDialog)

export function ProfileCard() {
  // The sessions beside it ask the same, so that one answer serves both.
  const user = useQuery(callQuery(getUserData, { CalendarFeeds: 1 }))
  if (user.data) return <Loaded user={user.data} />
  if (user.error)
    return (
      <SectionCard title="Account" padded>
        <LoadProblem of={[user]} />
      </SectionCard>
    )
  return (
    <SectionCard title="Account" padded footer={<Button disabled>SAVE</Button>}>
      <VisuallyHidden role="status">Loading the account</VisuallyHidden>
      <div className={styles.loading}>
        {[0, 1, 2, 3].map(row => (
          <Skeleton key={row} height="100%" />
        ))}
      </div>
    </SectionCard>
  )
}

const rule = lengthRule(limits.personName)

function Loaded({ user }: { user: Response<typeof getUserData> }) {
  const save = useCallMutation(setUserData)
  const { draft, changed, isDirty, set, saved } = useDraft<Omit<typeof user, 'CalendarFeeds'>>(user)
  const [isChanging, change] = useState(false)
  const names = [
    ['Full name', 'FullName'],
    ['Given name', 'GivenName'],
  ] as const
  const isValid = names.every(([, name]) => rule(draft[name]) === undefined)
  useActions([{ label: 'Change password', run: () => change(true) }])
  const submit = () => {
    const sent = Object.fromEntries(
      Object.entries(changed).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
    ) as typeof changed
    save.mutate(sent, {
      onSuccess: () => {
        saved(changed, sent)
        notify.clear(messages.saveFailed)
        notify.success(messages.settingsSaved)
      },
      onError: problem => notify.failure(problem, messages.saveFailed),
    })
  }
  return (
    <SectionCard
      title="Account"
      padded
      footer={
        <>
          <Button type="submit" form="profile" variant="contained" disabled={!isDirty || !isValid || save.isPending}>
            SAVE
          </Button>
          <Button onClick={() => change(true)}>
            <KeyIcon />
            CHANGE PASSWORD
          </Button>
        </>
      }
    >
      <form
        id="profile"
        noValidate
        className={styles.form}
        onSubmit={event => {
          event.preventDefault()
          if (isDirty && isValid && !save.isPending) submit()
        }}
      >
        <TextField label="Email" value={user.Email} helperText="An administrator of your organization can change it" readOnly />
        {names.map(([label, name]) => (
          <TextField
            key={name}
            label={label}
            value={draft[name]}
            autoComplete={name === 'FullName' ? 'name' : 'given-name'}
            onChange={event => set({ [name]: event.target.value })}
            problem={rule(draft[name])}
          />
        ))}
        <LabeledCheckBox
          label="Receive ticket update notifications"
          checked={draft.AutoReceiveNotifications}
          onChange={event => set({ AutoReceiveNotifications: event.target.checked })}
        />
      </form>
      <LeaveGuard isDirty={isDirty} />
      {isChanging && <ChangePasswordDialog onClose={() => change(false)} />}
    </SectionCard>
  )
}
