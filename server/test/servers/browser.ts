import { hashPassword } from '../../src/lib/passwords/passwords.ts'
import type { Caller, TestServer } from './server.ts'

export const pass = 'correct horse'

export const hash = await hashPassword(pass)

/** A browser: keeps the cookies it is given and sends the CSRF token it holds. */
export async function browser(server: TestServer) {
  const { cookies, headers } = await server.stranger()
  const caller: Caller = { idUser: 0, orgid: 0, cookies, headers }
  return {
    caller,
    async as<C extends Parameters<TestServer['as']>[1]>(call: C, input: unknown, extra: Record<string, string> = {}) {
      const answer = await server.as(caller, call, input, extra)
      for (const { name, value } of answer.cookies) {
        if (value === '') delete caller.cookies[name]
        else caller.cookies[name] = value
      }
      caller.headers['x-xsrf-token'] = caller.cookies['XSRF-TOKEN'] ?? ''
      return answer
    },
  }
}
