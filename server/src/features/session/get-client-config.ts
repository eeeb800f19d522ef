import * as contract from '@tessera/contract/session'
import { captchaForPage } from '../../lib/captcha.ts'
import { refreshCsrf } from '../../lib/csrf.ts'
import { isSetUpNeeded } from '../../lib/first-run.ts'
import { implement } from '../../lib/implement.ts'
import { parsedCookies } from '../../lib/session-cookie.ts'
import { version } from '../../lib/version.ts'

export const getClientConfig = implement(contract.getClientConfig, async ({ db, system, request, reply }) => {
  const { config } = system
  if (!parsedCookies(config, request).cookies['XSRF-TOKEN']) refreshCsrf(system, request, reply)
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
