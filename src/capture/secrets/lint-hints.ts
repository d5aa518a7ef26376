/**
 * The words, in lower case, of which every finding of a secretlint rule contains at least one: a text without them is
 * not searched by the rule. A rule that is not listed searches everything. A test proves the words against the rules'
 * own patterns, so that a changed rule is noticed.
 */
export const LINT_HINTS: Readonly<Record<string, readonly string[]>> = {
  aws: ['secret', 'akia', 'asia', 'agpa', 'aida', 'aroa', 'aipa', 'anpa', 'anva', 'a3t', 'account'],
  // This rule reads files of certain names, and we have no files.
  gcp: [],
  privatekey: ['private key'],
  npm: ['x-oauth-basic', 'npm_', '_authtoken'],
  basicauth: ['://'],
  slack: ['xox', 'xapp', 'hooks.slack.com'],
  sendgrid: ['sg.'],
  shopify: ['shppa_', 'shpca_', 'shpat_', 'shpss_'],
  stripe: ['k_live_', 'k_test_'],
  github: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
  gitlab: ['glpat-'],
  grafana: ['glc_', 'glsa_'],
  openai: ['t3blbkfj'],
  anthropic: ['sk-ant-'],
  groq: ['gsk_'],
  huggingface: ['hf_'],
  linear: ['lin_api_'],
  notion: ['ntn_'],
  '1password': ['ops_ey'],
  'database-connection-string': ['://'],
  'hashicorp-vault': ['hvs.', 'hvb.', 'hvr.'],
  vercel: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'],
  databricks: ['dapi'],
  docker: ['dckr_pat_'],
  figma: ['figd_'],
  cloudflare: ['cfk_', 'cfut_', 'cfat_'],
  tailscale: ['tskey-'],
};
