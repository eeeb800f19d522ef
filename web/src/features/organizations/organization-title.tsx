import type { Response } from '@tessera/contract/call'
import { messages } from '@tessera/contract/messages'
import { type getOrganizationData, setOrganizationData } from '@tessera/contract/people/organizations'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../components/button/button.tsx'
import { IconButton } from '../../components/icon-button/icon-button.tsx'
import { EditIcon } from '../../components/icons/icons.tsx'
import { LeaveGuard } from '../../components/leave-guard/leave-guard.tsx'
import { PageHeading } from '../../components/page-content/page-heading.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { notify } from '../../components/toaster/toaster.tsx'
import { Tooltip } from '../../components/tooltip/tooltip.tsx'
import { VisuallyHidden } from '../../components/visually-hidden/visually-hidden.tsx'
import { SessionTimedOut } from '../../lib/calls/api.ts'
import { useCallMutation } from '../../lib/calls/mutations/use-call-mutation.ts'
import { nameRule } from '../../lib/forms/field-rules.ts'
import { isFocusNowhere } from '../../lib/input/keep-focus.ts'
import styles from './organization-title.module.css'

/** The organization's title, edited in place. */
export function OrganizationTitle({ organization }: { organization: Response<typeof getOrganizationData> }) {
  const { idOrganization, Title, Editable } = organization
  const [typed, type] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const save = useCallMutation(setOrganizationData)
  const pencil = useRef<HTMLButtonElement>(null)
  /** Ends the editing; after a save only if what was saved is still what is typed. */
  const close = (saved?: string) => {
    flushSync(() => {
      type(now => (saved === undefined || now === saved ? undefined : now))
      setProblem(undefined)
    })
    if (isFocusNowhere()) pencil.current?.focus()
  }
  if (typed === undefined) {
    return (
      <div className={styles.heading}>
        <PageHeading className={styles.title}>{Title}</PageHeading>
        {Editable === 1 && (
          <Tooltip title="Rename the organization">
            <IconButton ref={pencil} onClick={() => type(Title)}>
              <EditIcon />
            </IconButton>
          </Tooltip>
        )}
      </div>
    )
  }
  const submit = () => {
    const wrong = nameRule('a title')(typed)
    if (wrong) return setProblem(wrong)
    if (typed.trim() === Title) return close()
    save.mutate(
      { idOrganization, Title: typed.trim() },
      {
        onSuccess: () => {
          notify.clear(messages.saveFailed)
          notify.success(messages.settingsSaved)
          close(typed)
        },
        onError: failure => {
          if (failure instanceof SessionTimedOut) return
          notify.error(messages.saveFailed)
          setProblem(failure.message)
        },
      },
    )
  }
  return (
    <>
      <form
        noValidate
        className={styles.form}
        onSubmit={event => {
          event.preventDefault()
          submit()
        }}
        onKeyDown={event => {
          if (event.key === 'Escape' && !event.nativeEvent.isComposing && !save.isPending) close()
        }}
      >
        <VisuallyHidden role="heading" aria-level={1}>
          {Title}
        </VisuallyHidden>
        <TextField
          autoFocus
          value={typed}
          onChange={event => {
            type(event.target.value)
            setProblem(undefined)
          }}
          problem={problem}
          aria-label="Title"
        />
        <Button disabled={save.isPending} onClick={() => close()} className={styles.button}>
          CANCEL
        </Button>
        <Button type="submit" variant="contained" disabled={save.isPending} className={styles.button}>
          SAVE
        </Button>
      </form>
      {/* Beside the form: Escape in the question is not meant for it. */}
      <LeaveGuard isDirty={typed.trim() !== Title} />
    </>
  )
}
