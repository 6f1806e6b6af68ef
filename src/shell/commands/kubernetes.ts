// Clusters: kubectl and helm, in their read-only and dry-run forms.
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { type Given, type OptionTable, option } from '../options.ts';
import { asks, looks, sends } from './verbs.ts';

const KUBE =
  '-A -n: -l: -o: -w --all-namespaces --namespace: --selector: --field-selector: --output: --watch? --watch-only? --no-headers --show-labels --sort-by: --label-columns: -L: --context: --cluster: --request-timeout: --chunk-size: --ignore-not-found --show-kind --show-managed-fields --server-print --raw: --subresource: -v: --as: --as-group: -f:r --filename:r -R --recursive -k! --output-watch-events';

/** The value of -f is a comma-separated list, and kubectl expands patterns in it. A single file or URL is handled by its role. */
function manifests(call: CommandCall, { options }: Given) {
  for (const { name, value } of options) {
    if ((name !== 'f' && name !== 'filename') || !/[,*?[]/.test(value?.literal ?? '')) continue;
    for (const text of value!.literal!.split(',')) {
      const word = value!.as(text);
      if (/^https?:\/\//.test(text)) call.url(word);
      else call.read(/[*?[]/.test(text) ? word.globbing() : word, `${call.name} -f`, { extent: 'within' });
    }
  }
}

/** An output template may come from a file, and parts of that file are printed. */
function kubeGet(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.roles(given);
  call.network();
  manifests(call, given);
  for (const { name, value } of given.options) {
    const file = name === 'o' || name === 'output' ? /^[\w-]*file=/.exec(value?.lead ?? '') : null;
    if (file) call.read(value!.after(file[0].length), 'kubectl -o');
  }
}

/** Prints the result of a change as the client alone computes it. The last `--dry-run` applies. */
function kubeTries(call: CommandCall, t: OptionTable) {
  kubeGet(call, t);
  const given = call.parse(t);
  if (option(given, 'dry-run')?.value?.literal !== 'client')
    call.unknown(`${call.name} without --dry-run=client changes something`);
  // With --raw, the file is sent unchanged, regardless of the other options.
  const raw = option(given, 'raw');
  if (raw) call.unknown(`${call.name} --raw sends a file as it is`, raw.arg);
  // Operands select and edit existing resources.
  if (call.name.endsWith('apply') && given.operands.length > 0)
    call.unknown(`${call.name} with unrecognized arguments`, given.operands[0]);
  for (const { name, value } of given.options)
    if (name === 'from-file' && value)
      call.read(value.after(/^[^=]*=|/.exec(value.lead)![0].length), call.name, { extent: 'within' });
}

/** A value file in the form of an address is fetched, possibly by a plugin, and stored. Commas separate several files. */
function chart(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.roles(given);
  call.network();
  for (const word of [...given.operands, ...given.options.flatMap((o) => (o.spec.role === 'r' ? (o.value ?? []) : []))])
    if (/[:,]/.test(word.literal ?? ':')) call.unknown(`${call.name} may fetch the files that it names`, word);
  for (const o of given.operands) call.read(o, call.name, { extent: 'within' });
}

/** A chart to show is in a local folder, or in a repository with a name that looks like a path. */
function shownChart(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.network();
  for (const o of given.operands) {
    if (/^[a-z]+:\/\//i.test(o.lead)) call.url(o);
    else call.read(o, call.name, { extent: 'within' });
  }
}

export const kubernetes: CommandEntry[] = [
  {
    names: 'kubectl oc',
    help: 'apply create get describe delete edit logs exec run expose scale autoscale label annotate patch replace wait port-forward proxy cp attach cluster-info drain cordon uncordon taint explain diff debug kustomize api-resources api-versions version completion events set. rollout. auth. config. top. certificate.',
    options: KUBE,
    network: true,
    verbs: {
      'get|events': asks('', { handle: kubeGet }),
      describe: asks('--show-events?', { handle: kubeGet }),
      logs: asks(
        '-c: -p -f -i: --container: --all-containers --previous --tail: --since: --since-time: --timestamps --limit-bytes: --follow --prefix --max-log-requests: --pod-running-timeout: --ignore-errors --insecure-skip-tls-verify-backend',
      ),
      'top node|top nodes|top pod|top pods|top no|top po': asks('--containers --sum --use-protocol-buffers'),
      explain: asks('--recursive --api-version:'),
      version: asks('--client --short'),
      'api-resources|api-versions': asks('--namespaced? --verbs: --api-group: --cached --categories:'),
      'config view|config get-contexts|config current-context|config get-clusters|config get-users': looks(
        '--minify --flatten --raw --merge?',
      ),
      cp: { options: '-c: --container: --no-preserve --retries:', handle: sends },
      'cluster-info': asks('', { operands: 'none' }),
      'auth can-i|auth whoami': asks('--list -q --quiet'),
      'rollout status|rollout history': asks('--revision: --timeout: -w --watch?', { handle: kubeGet }),
      'apply|create|run|expose': asks(
        '--dry-run? --image: --replicas: --port: --target-port: --name: --type: --labels: --env: --restart: --command --schedule: --rule: --verb: --resource: --role: --clusterrole: --serviceaccount: --user: --group: --from-literal: --from-file: --from-env-file:r --cert:r --key:r --tcp: --protocol: --external-name: --hard: --validate?',
        { handle: kubeTries },
      ),
      wait: asks('--for: --timeout: --all --local', { handle: kubeGet }),
      'options|help|plugin list|completion': looks('--name-only'),
    },
    examples: {
      'kubectl apply --help': 'read-only',
      'kubectl rollout undo --help': 'read-only',
      'kubectl exec web --help': 'unknown',
      'kubectl get pods -A': 'read-only',
      'kubectl logs web --tail=50': 'read-only',
      'kubectl logs web -f -p': 'read-only',
      'kubectl logs -f deploy/web --prefix': 'read-only',
      'kubectl apply --dry-run=client -f a.yaml -o yaml': 'read-only',
      'kubectl create configmap a --from-file=k=f --dry-run=client -o yaml': 'read-only',
      'kubectl run a --image=b --dry-run=client -o yaml -- ls': 'read-only',
      'kubectl apply -f a.yaml': 'unknown',
      'kubectl apply --dry-run=client --dry-run=none -f a.yaml': 'unknown',
      'kubectl apply --dry-run client -f a.yaml': 'unknown',
      'kubectl apply --dry-run=client -k d': 'unknown',
      'kubectl create --raw /api/v1/namespaces -f a.json --dry-run=client': 'unknown',
      'kubectl apply edit-last-applied --dry-run=client -f a.yaml': 'unknown',
      'kubectl create -f a.yaml --edit --dry-run=client': 'unknown',
      'kubectl completion bash': 'read-only',
      'kubectl delete pod x': 'unknown',
      'kubectl cp web:/a b': 'unknown',
      'kubectl exec p -- ls': 'unknown',
      'kubectl get pods --kubeconfig x': 'unknown',
      'kubectl cluster-info dump': 'unknown',
    },
  },
  {
    names: 'helm',
    help: 'install upgrade uninstall rollback list template lint package pull push status history create test verify env version plugin repo. search. show. get. dependency. registry.',
    version: '--version',
    verbs: {
      'list|ls|status|history|get values|get manifest|get notes|get all|get hooks|get metadata|plugin list|help|completion|search repo|search hub|repo list|version|env':
        asks(
          '-A -n: -o: -a --all-namespaces --namespace: --output: --all --revision: --max: --short -q --filter: -f: --kube-context: --versions -l --version: --template:',
        ),
      verify: looks('--keyring:r', { operands: 'read' }),
      'show chart|show values|show all|show readme|show crds': asks('--version: --jsonpath:', { handle: shownChart }),
      // The templates of a chart run nothing, but a value file may be an address.
      'template|lint|dependency list|dep list': asks(
        '-f:r --values:r -n: --namespace: --set: --set-string: --set-json: -s: --show-only: --name-template: --include-crds --skip-crds --skip-tests --no-hooks --is-upgrade --kube-version: -a: --api-versions: --debug --strict --quiet --with-subcharts --version:',
        { handle: chart },
      ),
    },
    examples: {
      'helm verify a.tgz': 'read-only',
      'helm verify --output x a.tgz': 'unknown',
      'helm install --help': 'read-only',
      'helm diff --help': 'unknown',
      'helm template web ./chart -f values.yaml': 'read-only',
      'helm lint ./chart': 'read-only',
      'helm show values ./chart': 'read-only',
      'helm show readme repo/chart --version 1.2.3': 'read-only',
      'helm show chart ./chart --repo https://a.invalid': 'unknown',
      'helm template . --output-dir d': 'unknown',
      'helm template . --post-renderer ./x': 'unknown',
      'helm template . --dependency-update': 'unknown',
      'helm template x -f git+https://a.invalid/x': 'unknown',
      'helm template . -f a.yaml,b.yaml': 'unknown',
      'helm template oci://a.invalid/x': 'unknown',
      'helm install x .': 'unknown',
    },
  },
];
