import * as contract from '@tessera/contract/people/session'
import { captchaForPage } from '../../captcha/captcha.ts'
import { refreshCsrf } from '../../http/csrf.ts'
import { implement } from '../../http/implement.ts'
import { cookiesOf } from '../../http/session-cookie.ts'
import { version } from '../../lib/version.ts'
import { isSetUpNeeded } from '../../process/first-run.ts'

export const getClientConfig = implement(contract.getClientConfig, async ({ db, system, request, reply }) => {
  const { config } = system
  if (!cookiesOf(request)['XSRF-TOKEN']) refreshCsrf(system, request, reply)
  reply.header('cache-control', 'no-store')
  return {
    product: 'Tessera',
    version,
    language: config.language,
    captcha: captchaForPage(config),
    support: config.support,
    setUpNeeded: await isSetUpNeeded(db),
    limits: {
      passwordMinLength: config.passwordMinLength,
      attachmentTypes: [...config.attachmentTypes],
      attachmentMaxBytes: config.attachmentMaxBytes,
      sessionIdleMinutes: config.session.idleMinutes,
    },
  }
})
