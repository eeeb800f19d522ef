import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Skeleton from '@mui/material/Skeleton'
import TextField from '@mui/material/TextField'
import { useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { messages } from '@tessera/contract/messages'
import { getUserData, setUserData } from '@tessera/contract/profile'
import { Suspense, useState } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { KeyIcon } from '../../components/icons.tsx'
import { lazy } from '../../components/lazy.tsx'
import { LeaveGuard } from '../../components/leave-guard.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { notify } from '../../components/toaster.tsx'
import { callQuery, useCallMutation } from '../../lib/api.ts'
import { lengthRule } from '../../lib/field-rules.ts'
import { useDraft } from '../../lib/use-draft.ts'

const ChangePasswordDialog = lazy(async () => ({ default: (await import('./change-password-dialog.tsx')).ChangePasswordDialog }))

export function ProfileCard() {
  const { data, error, refetch } = useQuery(callQuery(getUserData, {}))
  if (data) return <Loaded user={data} />
  return (
    <SectionCard title="Account" padded>
      {error ? (
        <ErrorState dense message={error.message} onRetry={() => void refetch()} />
      ) : (
        [0, 1, 2].map(row => <Skeleton key={row} variant="rounded" height={56} sx={{ mb: 2 }} />)
      )}
    </SectionCard>
  )
}

const rule = lengthRule(limits.personName)

function Loaded({ user }: { user: Response<typeof getUserData> }) {
  const save = useCallMutation(setUserData)
  const { draft, changed, isDirty, set, saved } = useDraft(user)
  const [isChanging, change] = useState(false)
  const names = [
    ['Full name', 'FullName'],
    ['Given name', 'GivenName'],
  ] as const
  const isValid = names.every(([, name]) => rule(draft[name]) === true)
  const submit = () => {
    const sent = Object.fromEntries(
      Object.entries(changed).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
    ) as typeof changed
    save.mutate(sent, {
      onSuccess: () => {
        saved(changed)
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
          <Button startIcon={<KeyIcon />} onClick={() => change(true)}>
            CHANGE PASSWORD
          </Button>
        </>
      }
    >
      <Box
        component="form"
        id="profile"
        noValidate
        sx={{ display: 'grid', gap: 2 }}
        onSubmit={event => {
          event.preventDefault()
          if (isDirty && isValid && !save.isPending) submit()
        }}
      >
        <TextField
          label="Email"
          value={user.Email}
          helperText="An administrator of your organization can change it"
          slotProps={{ htmlInput: { readOnly: true }, input: { sx: { bgcolor: 'action.hover', color: 'text.secondary' } } }}
        />
        {names.map(([label, name]) => (
          <TextField
            key={name}
            label={label}
            value={draft[name]}
            autoComplete={name === 'FullName' ? 'name' : 'given-name'}
            onChange={event => set({ [name]: event.target.value })}
            error={rule(draft[name]) !== true}
            helperText={rule(draft[name]) === true ? undefined : rule(draft[name])}
          />
        ))}
        <FormControlLabel
          label="Receive ticket update notifications"
          control={
            <Checkbox checked={draft.AutoReceiveNotifications} onChange={(_event, checked) => set({ AutoReceiveNotifications: checked })} />
          }
        />
      </Box>
      <LeaveGuard isDirty={isDirty} />
      <Suspense>{isChanging && <ChangePasswordDialog onClose={() => change(false)} />}</Suspense>
    </SectionCard>
  )
}
