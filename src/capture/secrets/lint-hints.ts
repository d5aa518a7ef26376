/**
 * Words of which one stands in everything that a rule of secretlint finds, in small letters: a text without any need not
 * be searched by it. A rule that is not here searches everything. A test proves the words against the rules' own
 * patterns, so that a rule that learns a new form is noticed.
 */
export const LINT_HINTS: Readonly<Record<string, readonly string[]>> = {
  aws: ['secret', 'akia', 'asia', 'agpa', 'aida', 'aroa', 'aipa', 'anpa', 'anva', 'a3t', 'account'],
  // It reads files of certain names, and we have none.
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
