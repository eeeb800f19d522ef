import { useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { messages } from '@tessera/contract/messages'
import { getUserEditData, setUserDataAdmin } from '@tessera/contract/people/users'
import { getProjectList, restoreProjectMember } from '@tessera/contract/projects/projects'
import { useRef, useState } from 'react'
import { Alert } from '../../../components/alert/alert.tsx'
import { MultiSelectField } from '../../../components/autocomplete/multi-select-field.tsx'
import { Button } from '../../../components/button/button.tsx'
import { hasFailed, LoadProblem } from '../../../components/empty-state/load-problem.tsx'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { Skeleton } from '../../../components/skeleton/skeleton.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { undo } from '../../../components/toaster/undo.ts'
import { callQuery, SessionTimedOut } from '../../../lib/calls/api.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { counted } from '../../../lib/display/format.ts'
import { useDraft } from '../../../lib/forms/drafts/use-draft.ts'
import { emailRule, lengthRule, newLoginRule } from '../../../lib/forms/field-rules.ts'
import { formMessage, takenMessage } from '../../../lib/forms/refusal-messages.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { UserAccessDialog } from '../../people/user-access-dialog.tsx'
import { AccountActions } from './account-actions.tsx'
import styles from './edit-user-dialog.module.css'

interface EditUserDialogProps {
  idUser: number
  onClose: () => void
}

export function EditUserDialog({ idUser, onClose }: EditUserDialogProps) {
  const user = useQuery(callQuery(getUserEditData, { idUser, Account: 1 }))
  if (user.data) return <Loaded idUser={idUser} user={user.data} onClose={onClose} />
  return (
    <FormDialog title="Edit User" submitLabel="SAVE" disabled onSubmit={() => undefined} onClose={onClose}>
      <LoadProblem of={[user]} />
      {!hasFailed(user) &&
        ['Login Name', 'Full Name', 'Greeting Name', 'Email Address', 'Project Membership'].map(label => (
          <Skeleton key={label} height={56} />
        ))}
    </FormDialog>
  )
}

function Loaded({ idUser, user, onClose }: EditUserDialogProps & { user: Response<typeof getUserEditData> }) {
  const { organizationName, isAdmin } = useSession()
  const [isAsking, setAsking] = useState(false)
  const projects = useQuery(callQuery(getProjectList, { GetAll: 1 }))
  const save = useCallMutation(setUserDataAdmin)
  const restore = useCallMutation(restoreProjectMember)
  const loginField = useRef<HTMLInputElement>(null)
  const refused = formMessage(save.error, 'user')
  const { draft, set } = useDraft(user)
  const stored = user.ProjectMembership
  // Only what was chosen here, so that a new load brings in what others changed.
  const [chosen, choose] = useState<{ joins: number[]; leaves: number[] }>({ joins: [], leaves: [] })
  const joins = chosen.joins.filter(id => !stored.includes(id))
  const leaves = chosen.leaves.filter(id => stored.includes(id))
  const membership = [...stored.filter(id => !leaves.includes(id)), ...joins]
  // Leading and trailing blanks do not count: they are not stored.
  const texts = { LoginName: draft.Login, RealName: draft.FullName, GreetingName: draft.GivenName, Email: draft.Email }
  const loaded = { LoginName: user.Login, RealName: user.FullName, GreetingName: user.GivenName, Email: user.Email }
  const changes = {
    ...Object.fromEntries(
      Object.entries(texts)
        .map(([name, value]) => [name, value.trim()] as const)
        .filter(([name, value]) => value !== loaded[name as keyof typeof loaded]),
    ),
    ...(joins.length + leaves.length > 0 && { ProjectMembership: membership, MembershipBefore: stored }),
  }
  const isChanged = Object.keys(changes).length > 0
  const problems = {
    // Existing values stay allowed.
    Login: draft.Login.trim() === user.Login ? undefined : newLoginRule(draft.Login),
    FullName: lengthRule(limits.personName)(draft.FullName),
    GivenName: lengthRule(limits.personName)(draft.GivenName),
    Email: emailRule(draft.Email),
  }
  const isValid = Object.values(problems).every(problem => problem === undefined)

  /** Choosing the project again would make the person a new member: UNDO also restores permissions and roles. */
  const sayLeft = () => {
    if (leaves.length === 0) return
    const [login, projects] = [draft.Login.trim(), counted(leaves.length, 'project')]
    notify.info(
      `${login} has left ${projects}`,
      undo(async () => {
        await Promise.all(leaves.map(idProject => restore.mutateAsync({ idProject, idUser })))
        return `${login} is back in ${projects}`
      }),
    )
  }
  const submit = () =>
    save.mutate(
      { idUser, ...changes },
      {
        onSuccess: () => {
          notify.clear(messages.saveRefused, messages.saveBroken)
          notify.info(messages.userUpdated)
          sayLeft()
          onClose()
        },
        onError: failure => {
          if (!(failure instanceof SessionTimedOut)) notify.error(failure.status === 422 ? messages.saveRefused : messages.saveBroken)
          if (takenMessage(failure)) loginField.current?.focus()
        },
      },
    )
  return (
    <FormDialog
      title="Edit User"
      submitLabel="SAVE"
      disabled={!isChanged || !isValid}
      busy={save.isPending}
      isDirty={isChanged}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className={styles.organization}>{organizationName}</p>
      {refused && !(save.error instanceof SessionTimedOut) && <Alert severity="error">{refused}</Alert>}
      <TextField
        label="Login Name"
        value={draft.Login}
        ref={loginField}
        onChange={event => {
          set({ Login: event.target.value })
          save.reset()
        }}
        problem={takenMessage(save.error) ?? problems.Login}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        label="Full Name"
        value={draft.FullName}
        onChange={event => set({ FullName: event.target.value })}
        problem={problems.FullName}
      />
      <TextField
        label="Greeting Name"
        value={draft.GivenName}
        onChange={event => set({ GivenName: event.target.value })}
        problem={problems.GivenName}
      />
      <TextField
        label="Email Address"
        type="email"
        value={draft.Email}
        onChange={event => set({ Email: event.target.value })}
        problem={problems.Email}
        autoComplete="off"
      />
      <LoadProblem of={[projects]} />
      <MultiSelectField
        label="Project Membership"
        options={(projects.data ?? []).map(({ idProject, Title }) => ({ id: idProject, text: Title }))}
        loading={projects.isPending}
        value={membership}
        onChange={now => choose({ joins: now.filter(id => !stored.includes(id)), leaves: stored.filter(id => !now.includes(id)) })}
      />
      {leaves.length > 0 && (
        <p role="status" className={styles.note}>
          In a project that they leave, their roles on its tickets end too.
        </p>
      )}
      {isAdmin && (
        <div>
          <Button onClick={() => setAsking(true)}>SHOW PERMISSIONS</Button>
        </div>
      )}
      {user.Account && <AccountActions idUser={idUser} login={user.Login} email={user.Email} account={user.Account} />}
      {isAsking && <UserAccessDialog idUser={idUser} login={user.Login} onClose={() => setAsking(false)} />}
    </FormDialog>
  )
}
