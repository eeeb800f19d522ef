import type { SignedIn } from '@tessera/contract/people/session'

/** What the server says of somebody who is signed in. */
export function signedIn(answer: Partial<SignedIn> = {}): SignedIn {
  return {
    auth: 1,
    idUser: 7,
    orgname: 'Tessera Test',
    orgid: 3,
    super: 0,
    managedorgs: 0,
    orgperms: [],
    projperms: [],
    projects: [],
    DisplayName: 'Dana Kim',
    ...answer,
  }
}
