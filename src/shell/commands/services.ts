// Clients of services and clusters, and version managers of machines, with their read-only verbs. Options that name a server, a
// file, or a program are not listed, so they make a command unknown.
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import type { OptionTable } from '../options.ts';
import { asks, looks } from './verbs.ts';

const OUTPUT = '-o: --output: --format: -q --quiet --json -w --watch --no-color';

/** Resources that the command line of Stripe can list. */
const STRIPE =
  'balance_transactions charges coupons customers disputes events invoices payment_intents payment_methods payouts plans prices products promotion_codes refunds setup_intents subscriptions tax_rates'.split(
    ' ',
  );

/** An image in a registry. Other transports read a folder or an archive. */
function registryImage(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.network();
  for (const o of given.operands) {
    if (o.literal?.startsWith('docker://')) call.url(o);
    else call.unknown(`${call.name} with an image that does not come from a registry`, o);
  }
}

export const services: CommandEntry[] = [
  {
    names: 'vault bao',
    style: ['single-dash'],
    options: '--version --help',
    version: '-v version',
    help: '*',
    verbs: {
      // `vault read` is not listed. It creates credentials if the path belongs to an engine that issues them.
      'status|kv list|kv get|kv metadata get|list|policy list|policy read|secrets list|auth list|audit list|plugin list|token capabilities|namespace list|path-help|operator members|version':
        asks('--namespace: --ns: --format: --field: --mount: --version: --detailed --no-color'),
    },
    examples: {
      'vault status': 'read-only',
      'vault kv list secret/': 'read-only',
      'vault kv get -format=json secret/app': 'read-only',
      'vault kv put secret/app a=b': 'unknown',
      'vault read database/creds/x': 'unknown',
      'vault list -output-curl-string x': 'unknown',
      'vault status -address=http://a.invalid': 'unknown',
      'vault write --help': 'read-only',
    },
  },
  {
    names: 'consul nomad',
    style: ['single-dash'],
    options: '--version --help',
    version: '-v version',
    help: '*',
    verbs: {
      'members|info|catalog services|catalog nodes|catalog datacenters|kv get|config list|operator raft list-peers|status|node status|job status|job history|job inspect|alloc status|alloc logs|server members|namespace list|deployment list|deployment status|eval status|version':
        asks(
          '--namespace: --format: --short --verbose --json --detailed --wan --recurse --keys --self --stats --tail --f --n: --stderr',
        ),
    },
    examples: {
      'consul members': 'read-only',
      'nomad job status web': 'read-only',
      'nomad job stop web': 'unknown',
      'consul members -http-addr=http://a.invalid': 'unknown',
    },
  },
  {
    names: 'pulumi',
    version: '--version version',
    help: 'up preview destroy stack. config. login logout refresh new import plugin. state. org. whoami about',
    verbs: {
      'stack ls|stack output|stack history|stack tag ls|whoami|plugin ls|org get-default|help|version': asks(
        `${OUTPUT} -a --all -s: --stack: -j -v --verbose`,
        { operands: 'text' },
      ),
      config: asks('-s: --stack: --json', { operands: 'none' }),
    },
    examples: {
      'pulumi config set a b': 'unknown',
      'pulumi stack ls': 'read-only',
      'pulumi up': 'unknown',
      'pulumi stack output --show-secrets': 'unknown',
    },
  },
  {
    names: 'flyctl fly',
    version: '--version version -v',
    help: '*',
    verbs: {
      'status|logs|info|releases|apps list|regions list|platform regions|secrets list|ips list|machine list|machines list|machine status|volumes list|volume list|scale show|orgs list|auth whoami|checks list|config show|services list|certs list|certs show|version|help':
        asks(`${OUTPUT} -a: --app: -j -i: --instance: -r: --region: -n --no-tail --all`),
    },
    examples: {
      'fly status -a x': 'read-only',
      'fly deploy': 'unknown',
      'fly scale count 2': 'unknown',
      'fly status -c x': 'unknown',
    },
  },
  {
    names: 'heroku',
    version: '--version version -v',
    help: '*',
    verbs: {
      'apps|apps:info|apps:list|info|ps|releases|releases:info|logs|addons|addons:info|domains|status|auth:whoami|whoami|pg:info|pg:ps|buildpacks|stack|features|labs|pipelines|pipelines:info|regions|help|version':
        asks(`${OUTPUT} -a: --app: -n: --num: -t --tail -p: --ps: -s: --source: -d: --dyno: --all -A --team: --shell`),
    },
    examples: { 'heroku ps -a x': 'read-only', 'heroku ps:scale web=2': 'unknown', 'heroku config -a x': 'unknown' },
  },
  {
    names: 'vercel netlify',
    version: '--version -v=netlify,vercel version=netlify',
    verbs: { 'whoami|inspect|logs|teams ls|sites:list|status': asks('--json --logs --wait --timeout:') },
    examples: { 'netlify status': 'read-only', vercel: 'unknown', 'vercel version': 'unknown', 'netlify deploy': 'unknown' },
    class: 'unknown',
  },
  {
    names: 'doctl',
    version: '--version version',
    help: '*',
    verbs: {
      'account get|balance get|invoice list|auth list|projects list|projects get|apps list|apps get|apps logs|apps list-deployments|kubernetes cluster list|kubernetes cluster get|databases list|databases get|registry get|registry repository list|vpcs list|compute droplet list|compute droplet get|compute domain list|compute domain records list|compute image list|compute region list|compute size list|compute volume list|compute load-balancer list|compute firewall list|compute ssh-key list|compute snapshot list|monitoring alert list|version|help':
        asks(`${OUTPUT} --no-header --tag-name: --region: --type: --tail: --follow -f --deployment: --context:`),
    },
    examples: {
      'doctl compute droplet list': 'read-only',
      'doctl compute droplet delete list': 'unknown',
      'doctl account get --api-url x': 'unknown',
    },
  },
  {
    names: 'minikube kind skaffold eksctl',
    version: 'version --version',
    help: '*',
    verbs: {
      'status|ip|profile list|service list|addons list|node list|image ls|image list|config view|config get|get clusters|get nodes|get cluster|get nodegroup|get nodegroups|get addon|get addons|get iamidentitymapping|get fargateprofile|info|utils describe-stacks|help|version':
        asks(`${OUTPUT} -p: --profile: --name: -n: --cluster: --region: -r: --all-regions -A --timeout: -l --light --layout:`),
    },
    examples: {
      'kind get clusters': 'read-only',
      'minikube status': 'read-only',
      'kind delete cluster': 'unknown',
      'eksctl get cluster -f x': 'unknown',
    },
  },
  {
    names: 'wrangler firebase supabase vagrant',
    version: '--version -v=wrangler,supabase,vagrant version=wrangler',
    handle: (call) => call.unknown(`${call.name} is not understood`),
    examples: { 'vagrant version': 'unknown' },
  },
  {
    names: 'kustomize packer k9s circleci dive trivy grype syft cosign buildah velero flux2',
    version: '--version version',
    handle: (call) => call.unknown(`${call.name} is not understood`),
    examples: { 'kustomize version': 'read-only', 'kustomize build d': 'unknown' },
  },
  {
    // --token prints the token of the cluster.
    names: 'k3d',
    help: '*',
    verbs: { 'cluster list|cluster ls|node list|node ls|registry list|registry ls|version': looks('-o: --output: --no-headers') },
    examples: {
      'k3d cluster list': 'read-only',
      'k3d cluster list --token': 'unknown',
      'k3d cluster create x': 'unknown',
      'k3d kubeconfig get x': 'unknown',
    },
  },
  {
    names: 'stripe',
    verbs: {
      [STRIPE.map((name) => `${name} list|${name} retrieve`).join('|')]: asks(
        '-e: -s --limit: --starting-after: --ending-before: --expand: --customer: --email: --status: --live --show-headers --stripe-account: --stripe-version:',
      ),
      version: looks(''),
    },
    examples: {
      'stripe customers list --limit 3': 'read-only',
      'stripe invoices retrieve in_1': 'read-only',
      'stripe customers create': 'unknown',
      'stripe customers list --api-base http://a.invalid': 'unknown',
      'stripe customers delete cus_1': 'unknown',
      'stripe trigger payment_intent.succeeded': 'unknown',
      'stripe config --list': 'unknown',
    },
  },
  {
    names: 'kubectx kubens',
    options: '-c --current -h --help',
    operands: 'none',
    examples: { kubectx: 'read-only', 'kubens -c': 'read-only', 'kubectx prod': 'unknown' },
  },
  {
    names: 'argocd',
    help: '*',
    verbs: {
      'app list|app get|app history|app resources|app logs|app manifests|app diff|proj list|proj get|repo list|cluster list|account list|account get-user-info|version|help':
        asks(
          `${OUTPUT} -p: --project: -l: --selector: --tail: --client --short --grpc-web --revision: --container: --group: --kind: --follow -f`,
        ),
    },
    examples: {
      'argocd app list': 'read-only',
      'argocd app get x --refresh': 'unknown',
      'argocd app sync x': 'unknown',
      'argocd app diff x --local d': 'unknown',
    },
  },
  {
    names: 'flux',
    version: '--version version -v',
    help: '*',
    verbs: {
      'get|check|events|logs|stats|tree|trace|version|export': asks(
        `${OUTPUT} -n: --namespace: -A --all-namespaces --context: --status-selector: --no-header --level: --kind: --since: --tail: -f --follow --pre --all --for: --name: -l: --label-selector: --client`,
      ),
    },
    examples: {
      'flux get kustomizations -A': 'read-only',
      'flux reconcile kustomization x': 'unknown',
      'flux get all --kubeconfig x': 'unknown',
    },
  },
  {
    names: 'istioctl',
    help: '*',
    verbs: {
      'version|proxy-status|ps|proxy-config|pc|profile list': asks(
        `${OUTPUT} -n: --namespace: -i: --istioNamespace: --context: --remote? --short -s --port: --fqdn: --direction: --address: --type: --name:`,
      ),
    },
    examples: {
      'istioctl proxy-status': 'read-only',
      'istioctl install': 'unknown',
      'istioctl pc log web --level debug': 'unknown',
    },
  },
  {
    names: 'skopeo',
    version: '--version -v',
    help: 'copy inspect list-tags delete sync login logout',
    verbs: {
      'inspect|list-tags': asks(
        '--raw --config --format: -f: --no-creds --no-tags -n --override-os: --override-arch: --override-variant:',
        {
          handle: registryImage,
        },
      ),
    },
    examples: {
      'skopeo inspect docker://alpine:3': 'read-only',
      'skopeo inspect dir:x': 'unknown',
      'skopeo copy docker://a dir:b': 'unknown',
      'skopeo inspect --authfile f docker://a': 'unknown',
    },
  },
  {
    names: 'crane',
    help: '*',
    verbs: { 'ls|manifest|digest|config|catalog|version': asks('--platform: --full-ref --omit-digest-tags -O') },
    examples: { 'crane ls alpine': 'read-only', 'crane digest --tarball f': 'unknown', 'crane push a b': 'unknown' },
  },
  {
    // A file in the folder contains options.
    names: 'act',
    version: '--version -l --list',
    loads: 'look: .actrc',
    handle: (call) => call.is('runs', 'act runs workflows of the project'),
    examples: { 'act -l': 'runs', act: 'runs', 'act push -l': 'runs' },
  },
];
