import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import go from 'highlight.js/lib/languages/go'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { createLowlight } from 'lowlight'
import { type ReactNode, useMemo } from 'react'
import styles from './code-block.module.css'

const lowlight = createLowlight({
  bash,
  c,
  css,
  diff,
  go,
  ini,
  java,
  javascript,
  json,
  php,
  python,
  ruby,
  rust,
  sql,
  typescript,
  xml,
  yaml,
})

type Word = ReturnType<typeof lowlight.highlight>['children'][number]

/** The color class of each kind of token; several share one. */
const kinds: Record<string, string | undefined> = {
  comment: styles.comment,
  quote: styles.comment,
  keyword: styles.keyword,
  literal: styles.keyword,
  built_in: styles.keyword,
  type: styles.name,
  title: styles.name,
  name: styles.name,
  attr: styles.name,
  attribute: styles.name,
  section: styles.name,
  string: styles.string,
  regexp: styles.string,
  addition: styles.string,
  number: styles.number,
  symbol: styles.number,
  deletion: styles.deletion,
}

/** Longer code is not highlighted: some patterns take quadratic time, seconds for 20,000 characters of `a a a` in C. */
const mostCharacters = 5000

/** Code with syntax highlighting; plain in an unknown language. */
export function HighlightedCode({ code, language }: { code: string; language: string }) {
  const tree = useMemo(() => {
    const name = language.toLowerCase()
    return code.length <= mostCharacters && lowlight.registered(name) ? lowlight.highlight(name, code).children : undefined
  }, [code, language])
  return tree ? tree.map(word) : code
}

function word(node: Word, key: number): ReactNode {
  if (node.type === 'text') return node.value
  if (node.type !== 'element') return null
  return (
    <span key={key} className={kindOf(node)}>
      {node.children.map(word)}
    </span>
  )
}

function kindOf({ properties }: Extract<Word, { type: 'element' }>) {
  const [name] = Array.isArray(properties.className) ? properties.className : []
  return kinds[String(name).replace(/^hljs-/, '')]
}
