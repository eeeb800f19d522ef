import { OperatorError } from '../../operator-error.ts'

const form = 's3://key:secret@host/bucket?region=…'

/** The parts of `s3://key:secret@host:port/bucket/prefix?region=…&tls=0|1&style=path|virtual`; never shown, because of the secret. */
export function requireObjectStorage(address: string) {
  const refuse = (what: string) => new OperatorError(`TESSERA_STORAGE ${what}: give ${form}, with special characters percent-encoded.`)
  if (!URL.canParse(address)) throw refuse('is not an address')
  const { host, username, password, pathname, searchParams } = new URL(address)
  const parameter = (name: string, allowed: RegExp, fallback: string) => {
    const value = searchParams.get(name) ?? fallback
    if (!allowed.test(value)) throw refuse(`has a wrong value for ${name}`)
    searchParams.delete(name)
    return value
  }
  const region = parameter('region', /^[\w-]+$/, 'us-east-1')
  const tls = parameter('tls', /^[01]$/, '1')
  const style = parameter('style', /^(path|virtual)$/, 'path')
  const [unknown] = searchParams.keys()
  if (unknown !== undefined) throw refuse('has a parameter that is none of region, tls and style')
  let parts: string[]
  try {
    parts = [username, password, ...pathname.slice(1).split('/')].map(decodeURIComponent)
  } catch {
    throw refuse('has a % that encodes nothing')
  }
  const [accessKeyId = '', secretAccessKey = '', bucket = '', ...folders] = parts
  if (host === '' || bucket === '') throw refuse('lacks the host or the bucket')
  if (accessKeyId === '' || secretAccessKey === '') throw refuse('lacks the key or the secret')
  const prefix = folders
    .filter(folder => folder !== '')
    .map(folder => `${folder}/`)
    .join('')
  return {
    endpoint: `${tls === '0' ? 'http' : 'https'}://${host}`,
    credentials: { accessKeyId, secretAccessKey },
    bucket,
    prefix,
    region,
    forcePathStyle: style === 'path',
  }
}
