import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { literalValue, scriptedPlans } from './plan-literal.ts'

const plan = { plan: [{ step: 'Read', status: 'in_progress' }] }

describe('a plan in a code mode script', () => {
  test('is read with keys quoted and unquoted in one script', () => {
    const script = 'const p = await tools.update_plan({plan:[{step:"Read","status":"in_progress"}]}); text(p);\n'
    expect(scriptedPlans(script)).toEqual([plan])
  })

  test.each([
    ['single quotes', `tools.update_plan({plan:[{step:'Read',status:'in_progress'}]})`],
    ['templates without a placeholder', 'tools.update_plan({plan:[{step:`Read`,status:`in_progress`}]})'],
    ['trailing commas', 'tools.update_plan({plan:[{step:"Read",status:"in_progress",},],},)'],
    ['comments', 'tools.update_plan(/* now */ {plan: [ // first\n{step:"Read",/*:*/status:"in_progress"}]})'],
    ['line breaks', 'tools.update_plan(\n{\n  plan: [\n    { step: "Read", status: "in_progress" }\n  ]\n}\n)'],
    ['a space before the bracket', 'tools.update_plan ({plan:[{step:"Read",status:"in_progress"}]})']
  ])('may have %s', (_, script) => {
    expect(scriptedPlans(script)).toEqual([plan])
  })

  test('may be stated several times in one script', () => {
    const script =
      'await tools.update_plan({plan:[]}); await tools.exec_command({cmd:"ls"}); tools.update_plan({plan:[]})'
    expect(scriptedPlans(script)).toEqual([{ plan: [] }, { plan: [] }])
  })

  test('may be inside a template placeholder', () => {
    expect(scriptedPlans('text(`${await tools.update_plan({plan:[]})} ${{a:{}}} tools.update_plan({})`)')).toEqual([
      { plan: [] }
    ])
  })

  test.each([
    ['a line comment', '// tools.update_plan({plan:[]})'],
    ['a block comment', '/* tools.update_plan({plan:[]}) */'],
    ['a string', `text("tools.update_plan({plan:[]})"); text('\\' tools.update_plan({plan:[]})')`],
    ['a template', 'text(`tools.update_plan({plan:[]})`)'],
    ['another object', 'mytools.update_plan({}); my.tools.update_plan({})'],
    ['no call', 'const f = tools.update_plan; tools.update_plans({})'],
    ['nothing', '']
  ])('is not one in %s', (_, script) => {
    expect(scriptedPlans(script)).toEqual([])
  })

  test.each([
    ['a quote in a regular expression', `const r = /it's/;\ntools.update_plan({plan:[]})`],
    ['one on the same line', 'text(r.output.replace(/"/g, "")); tools.update_plan({plan:[]})'],
    ['quotes and a slash in a class', 'const r = /["\'`/]/; tools.update_plan({plan:[]})'],
    ['slashes in a regular expression', 'const r = /https?:\\/\\//; tools.update_plan({plan:[]})'],
    ['a regular expression after a keyword', 'const f = () => { return /`/ }; tools.update_plan({plan:[]})'],
    ['divisions', 'const half = a / 2; const q = b / "2"; tools.update_plan({plan:[]})'],
    ['a division of what is in brackets', 'const q = (a) / 2 + `${b[0] / 2}`; tools.update_plan({plan:[]})'],
    ['a quote that nothing closes', `if (a) /'/.test(b); tools.update_plan({plan:[]})`]
  ])('follows %s', (_, script) => {
    expect(scriptedPlans(script)).toEqual([{ plan: [] }])
  })

  test.each([`'\\`, `"\\`, '/[(', "='/"])('is looked for in time that grows with the script: %j', (part) => {
    const script = `${part.repeat(200_000)}\ntools.update_plan({plan:[]})`
    expect(scriptedPlans(script)).toEqual([{ plan: [] }])
  })

  test.each([
    ['a variable', 'tools.update_plan(plan)'],
    ['a variable inside', 'tools.update_plan({plan:[{step:name,status:"pending"}]})'],
    ['shorthand', 'tools.update_plan({plan})'],
    ['a spread', 'tools.update_plan({...old})'],
    ['a placeholder', 'tools.update_plan({plan:[{step:`${a}`,status:"pending"}]})'],
    ['a sum', 'tools.update_plan({plan:[{step:"a"+"b",status:"pending"}]})'],
    ['a call', 'tools.update_plan({plan: steps.map(s => ({step:s}))})'],
    ['a list', 'tools.update_plan([1])'],
    ['nothing', 'tools.update_plan()'],
    ['a cut script', 'tools.update_plan({plan:[{step:"Re']
  ])('is not read where its argument is %s', (_, script) => {
    expect(scriptedPlans(script)).toEqual([null])
  })

  test('is found inside an argument that is no literal', () => {
    expect(scriptedPlans('tools.update_plan(later(tools.update_plan({plan:[]})))')).toEqual([null, { plan: [] }])
  })
})

describe('a literal', () => {
  test.each([
    [`"a\\n\\t\\"\\x41\\u00e9\\u{1F600}\\q\\\n"`, 'a\n\t"Aé😀q'],
    ['-1.5e3', -1500],
    ['0x1F', 31],
    ['.5', 0.5],
    ['null', null],
    ['{_a$1: true, 中: false}', { _a$1: true, 中: false }],
    ['[1, [2], {}]', [1, [2], {}]]
  ])('%j is read', (text, value) => {
    expect(literalValue(text)).toEqual(value)
  })

  test.each([
    ...[
      'undefined',
      'NaN',
      '1e999',
      '"\\u12"',
      '"\\u{110000}"',
      '"a\nb"',
      '{a:1',
      '[1',
      '{a 1}',
      '1 2',
      '`a${1}`',
      '1px'
    ],
    ...['[,1]', '{1:2}', '"\\x4"', '"a', '']
  ])('%j is none', (text) => {
    expect(literalValue(text)).toBeUndefined()
  })

  test('reads __proto__ as a member, and changes no prototype', () => {
    const value = literalValue('{__proto__: {polluted: 1}}')
    expect(Object.keys(value as object)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect('polluted' in {}).toBe(false)
  })

  test('nested too deeply is none', () => {
    expect(literalValue('['.repeat(100_000))).toBeUndefined()
  })

  test('reads all JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 10 }), (value) => {
        const text = JSON.stringify(value)
        expect(literalValue(text)).toEqual(JSON.parse(text))
      })
    )
  })

  test('never throws, and never evaluates', () => {
    const words = [
      'tools.update_plan(',
      '{',
      '}',
      '[',
      ']',
      '`',
      '${',
      '"',
      "'",
      '\\',
      'u',
      '//',
      '/*',
      '*/',
      ',',
      ':',
      'a'
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words, '\n', '1', ')', 'globalThis.ran = 1')), (parts) => {
        scriptedPlans(parts.join(''))
        literalValue(parts.join(''))
      })
    )
    expect('ran' in globalThis).toBe(false)
  })
})
