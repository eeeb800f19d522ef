import * as contract from '@tessera/contract/people/password-reset'
import { implementWith } from '../../http/implement.ts'
import { deviceOf, digest } from '../../http/session-cookie.ts'
import { addJob } from '../../lib/background/job-queue.ts'
import { addressBuckets, bucket, countFailure, networkOf, requireNotThrottled } from '../../lib/throttle.ts'

// The same work and the same answer for every name; only the job looks the name up.
export const resetPassword = implementWith(
  contract.resetPassword,
  {
    before: async ({ db, input, system, request }) => {
      const device = deviceOf(system.config, request)
      const buckets = [...addressBuckets(request.ip, 'reset'), ...(device === undefined ? [] : [bucket('reset', device, 10, 15)])]
      await requireNotThrottled(db, buckets)
      await countFailure(db, buckets)
      await system.captcha.verify(input.Captcha, request.ip)
    },
  },
  async ({ db, input, system, request, reply }) => {
    const device = digest(deviceOf(system.config, request, reply) as string).toString('hex')
    await addJob(db, 'request-reset', { name: input.AuthName.trim(), device, network: networkOf(request.ip) ?? null })
    return { Success: 1 as const }
  },
)
