/** Fails if a package of the product has a license that is not on the agreed list. Reads package-lock.json. */
import { readFileSync } from 'node:fs'

interface Locked {
  license?: string
  dev?: boolean
  link?: boolean
}

const agreed = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'OFL-1.1',
  'PostgreSQL',
  'Unlicense',
  'CC0-1.0',
  'Python-2.0',
  'PSF-2.0',
])
/** `(MIT OR GPL-3.0)` allows either; `MIT AND Zlib` requires both. One with brackets inside is refused. */
function isAgreed(expression: string): boolean {
  const text = expression.replace(/^\((.*)\)$/, '$1')
  if (/[()]/.test(text)) return false
  if (text.includes(' OR ')) return text.split(' OR ').some(isAgreed)
  if (text.includes(' AND ')) return text.split(' AND ').every(isAgreed)
  return agreed.has(text)
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> }
const shipped = Object.entries(packages).filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
const strangers = shipped.filter(([, { license }]) => license === undefined || !isAgreed(license))
for (const [path, { license }] of strangers)
  console.error(`${path}: ${license ?? 'no license'} is not on the list in scripts/check-licenses.ts`)
if (strangers.length > 0) process.exit(1)
console.log(`${shipped.length} packages, each with an agreed license`)
