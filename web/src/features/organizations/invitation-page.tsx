import { useQuery } from '@tanstack/react-query'
import { acceptInvitation, getInvitation } from '@tessera/contract/people/organizations'
import { Alert } from '../../components/alert/alert.tsx'
import { ButtonLink } from '../../components/button/button.tsx'
import { callQuery } from '../../lib/calls/api.ts'
import { useCallMutation } from '../../lib/calls/mutations/use-call-mutation.ts'
import { asButton } from '../../lib/input/as-button.ts'
import { useParams } from '../../lib/navigation/use-navigation.ts'
import { LinkPage } from '../password-reset/link-page.tsx'
import { ResetCard } from '../password-reset/reset-card.tsx'

/** Where the mail of an invitation leads. */
export function InvitationPage() {
  const { token = '' } = useParams()
  const invitation = useQuery({ ...callQuery(getInvitation, { Token: token }), staleTime: Number.POSITIVE_INFINITY })
  const accept = useCallMutation(acceptInvitation)
  const title = 'Invitation'
  const refused = accept.error?.code === 'rule' ? accept.error : undefined
  // Once it is accepted, the invitation cannot be read again: what was read stays.
  const refusal = invitation.data ? refused : invitation.error
  if (!invitation.data || refusal) {
    return (
      <ResetCard title={title} busy={invitation.isPending}>
        {refusal ? (
          <>
            <Alert severity="error">{refusal.message}</Alert>
            <ButtonLink to="/login" {...asButton}>
              LOGIN
            </ButtonLink>
          </>
        ) : (
          'Loading the invitation'
        )}
      </ResetCard>
    )
  }
  const { Organization, LoginName } = invitation.data
  return (
    <LinkPage
      title={title}
      label="ACCEPT"
      done={`You are a member of ${Organization} now. Choose it when you sign in as ${LoginName}.`}
      sending={accept}
      onSubmit={() => accept.mutate({ Token: token })}
    >
      {LoginName} is invited to the organization <b>{Organization}</b>. Its administrators will see your name and email address.
    </LinkPage>
  )
}
