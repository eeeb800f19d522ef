import { confirmEmail } from '@tessera/contract/people/profile'
import { useCallMutation } from '../../lib/calls/mutations/use-call-mutation.ts'
import { useParams } from '../../lib/navigation/use-navigation.ts'
import { LinkPage } from '../password-reset/link-page.tsx'

/** The page behind the link that confirms a changed address. */
export function ConfirmEmailPage() {
  const { token = '' } = useParams()
  const confirm = useCallMutation(confirmEmail)
  return (
    <LinkPage
      title="Confirm your email address"
      label="CONFIRM"
      done="Your email address is confirmed."
      sending={confirm}
      onSubmit={() => confirm.mutate({ Token: token })}
    >
      An administrator set this address for your account. Once it is confirmed, links to reset your password are sent to it.
    </LinkPage>
  )
}
