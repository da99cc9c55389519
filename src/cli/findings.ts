import {
  type Finding,
  findingGroups,
  findingRules,
  maxFindings,
  type RuleName,
  ruleNames
} from '#core/findings/finding.ts'
import { isInformation } from '#core/findings/run-findings.ts'
import { oneLine } from '#core/index/one-line.ts'
import { Output } from '#backend/export/output.ts'
import type { QueriedLog } from '#backend/query/queried-log.ts'
import { type Command, exitFine, exitIssues, parseCommandLine, UsageError } from './command.ts'
import { say } from './environment.ts'
import { keepMemorySteady } from './steady-memory.ts'
import { fileDetails, logOf, logOptions } from './typed-log.ts'
import { sayNotesOf, withLog } from './where.ts'

const options = {
  json: { type: 'boolean' },
  all: { type: 'boolean' },
  rule: { type: 'string' },
  'fail-on': { type: 'string' },
  ...logOptions
} as const

export const findings: Command = {
  usage: 'findings FILE [--json] [--all] [--rule RULE,…] [--fail-on RULE,…|any] [--single] [--format ID]',
  summary: 'list what went wrong in a session, with the events that show it',
  details: [
    '--json               Print JSON lines: rule, level, text, events, facts (docs/finding.schema.json).',
    '--all                Also list information: what is true but mostly harmless.',
    '--rule RULE,…        List only these rules.',
    '--fail-on RULE,…|any Exit with 1 if one of these rules finds something; any: all rules of findings.',
    `Rules: ${ruleNames.join(', ')}.`,
    'Exit codes: 0 fine, 1 a rule of --fail-on found something, 2 wrong use, or the file could not be read.',
    '',
    ...fileDetails
  ],
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    const asked = values.rule === undefined ? null : rulesOf('--rule', values.rule)
    const failing = failingOf(values['fail-on'])
    const source = await logOf(positionals, values, environment)
    keepMemorySteady()
    return await withLog(source, environment, async (log) => {
      const { list, further } = log.index.findings
      const shown = list.filter((one) =>
        asked === null ? values.all === true || !isInformation(one) : asked.has(one.rule)
      )
      const output = new Output(environment.stdout)
      if (values.json === true) for (const one of shown) output.line(jsonLine(one, log))
      else for (const line of textLines(shown, log)) output.line(line)
      await output.flush()
      let more = 0
      for (const count of further.values()) more += count
      if (more > 0) say(environment, `only the first ${maxFindings} findings are listed, of ${maxFindings + more}`)
      const exit = sayNotesOf(log, environment)
      if (exit !== exitFine) return exit
      return list.some(failing) || [...further.keys()].some((rule) => failing({ rule })) ? exitIssues : exitFine
    })
  }
}

function rulesOf(option: string, text: string): ReadonlySet<RuleName> {
  const rules = text.split(',').map((word) => {
    const rule = ruleNames.find((name) => name === word.trim())
    if (rule === undefined)
      throw new UsageError(`${option} ${oneLine(word, 60)}: no such rule; use ${ruleNames.join(', ')}`)
    return rule
  })
  return new Set(rules)
}

type Fails = (finding: Pick<Finding, 'rule'>) => boolean

function failingOf(text: string | undefined): Fails {
  if (text === undefined) return () => false
  if (text === 'any') return ({ rule }) => findingRules[rule].level === 'finding'
  const rules = rulesOf('--fail-on', text)
  return ({ rule }) => rules.has(rule)
}

interface Place {
  readonly seq: number
  readonly line: number
  /** Null: the main file. */
  readonly file: string | null
}

function placeOf(seq: number, { index: { rows } }: QueriedLog): Place {
  const { file = null, line } = rows.place(rows.rowOf(seq))
  return { seq, line, file }
}

function jsonLine({ rule, text, events, more, facts }: Finding, log: QueriedLog): string {
  const { level } = findingRules[rule]
  return JSON.stringify({ rule, level, text, events: events.map((seq) => placeOf(seq, log)), more, facts })
}

/** By group: `rule  event  line  sentence`. */
function textLines(list: readonly Finding[], log: QueriedLog): string[] {
  const lines: string[] = []
  for (const group of findingGroups) {
    const own = list.filter(({ rule }) => findingRules[rule].group === group)
    if (own.length === 0) continue
    lines.push(group)
    for (const { rule, text, events } of own) {
      const { seq, line, file } = placeOf(events[0] ?? 0, log)
      const place = file === null ? `line ${line}` : `${oneLine(file)} line ${line}`
      lines.push(`  ${rule}  event ${seq}  ${place}  ${oneLine(text)}`)
    }
  }
  return lines
}
