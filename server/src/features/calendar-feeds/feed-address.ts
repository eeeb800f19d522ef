import type { Config } from '../../config.ts'
import { digest, newToken } from '../../http/session-cookie.ts'

// `/calendar-feed/{organization}-{256 random bits}.ics`: like a session cookie, the address binds every statement to the organization.

/** A new secret address, and the digest by which it is found. */
export function newAddress({ publicUrl }: Config, organizationId: number) {
  const token = newToken()
  return { address: `${publicUrl}/calendar-feed/${organizationId}-${token}.ics`, tokenHash: digest(token) }
}

/** What the last part of an address claims; undefined if it cannot be one. */
export function readAddress(file: string) {
  const [, organization, token] = /^([1-9]\d{0,14})-([\w-]{43})\.ics$/.exec(file) ?? []
  return organization && token ? { organizationId: Number(organization), tokenHash: digest(token) } : undefined
}
