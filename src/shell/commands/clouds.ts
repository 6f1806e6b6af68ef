// gcloud, az, and gsutil: known groups of resources, with the read-only verbs.

import type { Arg } from '../arg.ts';
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import type { Given, OptionTable } from '../options.ts';
import { asksGcloud } from './gcloud-groups.ts';
import { asks, onlyAsks, sentFile, sentFiles } from './verbs.ts';

const GCLOUD =
  /^(?:(?:compute (?:instances|zones|regions|disks|networks|networks subnets|firewall-rules|images|snapshots|addresses|machine-types|instance-groups|instance-groups managed|instance-templates|forwarding-rules|backend-services|routers|routes|ssl-certificates|target-pools|url-maps|health-checks|operations)|container (?:clusters|node-pools|images|operations)|run (?:services|revisions|jobs|regions)|functions|sql (?:instances|databases|backups|operations|users|tiers)|projects|organizations|iam (?:roles|service-accounts|service-accounts keys)|storage buckets|pubsub (?:topics|subscriptions)|secrets|secrets versions|builds|builds triggers|artifacts (?:repositories|packages|versions|tags|docker images)|dns (?:managed-zones|record-sets)|logging (?:logs|sinks|metrics|buckets)|redis instances|scheduler jobs|tasks queues|app (?:services|versions|instances)|services|kms (?:keyrings|keys|locations)|composer environments|dataproc clusters|dataflow jobs|billing accounts|spanner (?:instances|databases)|config configurations|filestore instances) (?:list|describe)|(?:projects|iam service-accounts|secrets|run services|pubsub topics|storage buckets) get-iam-policy|auth list|config (?:list|get|get-value)|logging read|storage (?:ls|cat|du)|compute instances get-serial-port-output|run services logs read|functions logs read|app logs read|builds log|container images list-tags|asset search-all-(?:resources|iam-policies)|topic [a-z-]+|info|version|help)(?= |$)/;

const AZ =
  /^(?:(?:account|group|vm|vmss|aks|acr|acr repository|webapp|functionapp|appservice plan|storage account|storage container|storage blob|keyvault|network vnet|network vnet subnet|network nsg|network nsg rule|network public-ip|network nic|network lb|network dns zone|sql server|sql db|cosmosdb|resource|deployment group|role assignment|role definition|ad user|ad app|ad sp|ad group|redis|identity|disk|image|snapshot|tag|provider|policy assignment|policy definition|lock|servicebus namespace|eventhubs namespace|aks nodepool|postgres flexible-server|monitor activity-log|pipelines build) (?:list|show)|find|account list-locations|vm (?:list-sizes|list-ip-addresses|get-instance-view)|aks get-versions|acr repository show-tags|ad signed-in-user show|version|webapp log tail|containerapp logs show|monitor log-analytics query|graph query|vm image list-(?:offers|publishers|skus)|aks get-upgrades|keyvault (?:secret|key|certificate) list|config get|cloud (?:list|show))(?= |$)/;

/**
 * Names of command groups in az. Some commands take an operand that looks like the name of another command (`acr build list`).
 */
const AZ_GROUPS = new Set(
  `account acr action-group activity-log ad advisor afd aks alert apim app appconfig appservice assignment autoscale backup bastion batch
  billing blob boards bot cdn cluster cognitiveservices connectedk8s consumption container containerapp cosmosdb databricks datafactory
  db dedicated-host definition deployment devops diagnostic-settings disk dns domain eventgrid eventhub eventhubs express-route
  exemption feature federated-credential firewall firewall-rule flexible-server frontdoor functionapp gallery group hdinsight hub
  identity image image-definition image-version iot lb location lock log-analytics logicapp managedapp management-group manifest maps
  mariadb metrics mi monitor mysql namespace nat netappfiles network nic nodepool nsg operation peering pipelines plan policy pool
  postgres pr private-dns private-endpoint profile project provider public-ip queue recommendation record-set redis relay replication
  repos repository reservations resource revision role route route-table rule runs search security server service servicebus
  set-definition share sig signalr slot snapshot sp sql sshkey staticwebapp storage stream-analytics subnet subscription synapse tag
  team topic traffic-manager user variable-group vm vmss vnet vnet-gateway vpn-connection vwan webapp work-item workspace zone extension`.split(
    /\s+/,
  ),
);

/** Returns the number of words of a read-only az command in a known group, or 0. */
function asksAz(words: readonly string[]): number {
  const at = words.findIndex((word) => /^(?:list|show|exists|list-[a-z-]+|show-[a-z-]+)$/.test(word));
  return at > 0 && words.slice(0, at).every((word) => AZ_GROUPS.has(word)) ? at + 1 : 0;
}

/** Options that name a file to read or write, or that change the server or the identity. */
const OWN_FILES =
  /(?:^|-)(?:files?|path|dest|destination|out|output-(?:file|dir|folder|path)|directory|dir|folder|http|impersonate|impersonation|endpoint)(?:-|$)/;

/** If the command is certainly read-only, every other long option is a part of the request. */
function isQuery(call: CommandCall, { problem }: Given, words: readonly Arg[], named: number): boolean {
  if (named === 0) return false;
  if (problem && problem.arg.pos < words[named - 1]!.pos) return false;
  return call.rest.every(({ literal }) => {
    if (literal === null || !literal.startsWith('-')) return literal !== null;
    const name = /^--([a-z][a-z0-9-]*)(?:=|$)/.exec(literal)?.[1];
    return name === undefined ? /^-[a-z]$/.test(literal) && literal !== '-f' : !OWN_FILES.test(name);
  });
}

/** Maximum number of words of a command in a message. The words after them are operands. */
const LONGEST_COMMAND = 4;

/** Accepts words that match `verbs` when joined, or that `asked` knows, without a value that names a file. */
const ask = (verbs: RegExp, countCommandWords: (words: readonly string[]) => number) => (call: CommandCall, t: OptionTable) => {
  const given = call.parse(t, ['strict-values']);
  call.network();
  // The words of the command come before its options.
  const first = call.rest.findIndex((arg) => given.operands.includes(arg));
  const firstOption = call.rest.findIndex((arg, at) => at > first && (arg.literal === null || arg.literal.startsWith('-')));
  const named = first === -1 ? [] : call.rest.slice(first, firstOption === -1 ? undefined : firstOption);
  const count = countCommandWords(named.map((arg) => arg.literal ?? ''));
  // A command that prints credentials does not count as read-only.
  const isSecret = call.host.effects.commands[call.entry]?.tags?.includes('secrets') === true;
  const isReadRequest = !isSecret && isQuery(call, given, named, count);
  if (!isReadRequest) call.accept(given);
  const open = given.operands.findIndex((o) => o.literal === null);
  const words = given.operands.slice(0, open === -1 ? undefined : open).map((o) => o.literal);
  call.subcommand(given);
  if (!isReadRequest && !verbs.test(words.join(' '))) {
    const command = words.slice(0, LONGEST_COMMAND).filter((word) => /^[a-z][a-z0-9-]*$/.test(word!));
    call.unknown(`${[call.name, ...command].join(' ')} is not in the list of commands that only read`);
  }
  for (const word of [...given.operands, ...given.options.flatMap((o) => o.value ?? [])])
    if (word.lead.startsWith('@')) {
      call.unknown(`${call.name} may send the content of a file`, word);
      sentFile(call, word, /^@/);
    }
  onlyAsks(call);
};

function gsutil(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.network();
  call.subcommand(given);
  const [verb, ...rest] = given.operands;
  if (!/^(?:ls|du|stat|cat|version)$/.test(verb?.literal ?? ''))
    call.unknown(`gsutil ${verb?.text ?? ''} is not in the list of commands that only read`, verb);
  if (/^(?:cp|mv|rsync)$/.test(verb?.literal ?? '')) sentFiles(call, rest);
  for (const o of rest) if (!o.lead.startsWith('gs://')) call.unknown('gsutil with an operand that is not a gs:// address', o);
  onlyAsks(call);
}

export const clouds: CommandEntry[] = [
  {
    names: 'gcloud',
    version: '--version -v version',
    options:
      '--project: --format: --filter: --limit: --zone: --zones: --region: --regions: --sort-by: --page-size: --uri --global --account: --configuration: --enabled --available --verbosity: --location: --instance: --cluster: --service: --platform: --repository: --keyring: --freshness: --order: --long --recursive -lLra --secret: --topic: --flatten: --all --show-deleted --managed-by: --iam-account: --include-tags --billing-account:',
    help: '*',
    handle: ask(GCLOUD, asksGcloud),
    examples: {
      'gcloud config list': 'read-only',
      'gcloud container images list-tags i': 'read-only',
      'gcloud asset search-all-resources': 'read-only',
      'gcloud topic filters': 'read-only',
      'gcloud storage cat gs://b/c': 'read-only',
      'gcloud compute instances list --project p --format=json': 'read-only',
      'gcloud compute instances describe web --zone z': 'read-only',
      'gcloud compute instances delete list': 'unknown',
      'gcloud compute instances lists': 'unknown',
      'gcloud projects list --flags-file f': 'unknown',
      'gcloud beta compute instances list': 'unknown',
      'gcloud projects describe @f': 'unknown',
      'gcloud eventarc triggers list --location x --show-empty': 'read-only',
      'gcloud scheduler jobs run list': 'unknown',
      'gcloud workflows execute list': 'unknown',
      'gcloud ai models list --log-http': 'unknown',
      'gcloud --foo eventarc triggers list': 'unknown',
      'gcloud compute instances create --help': 'read-only',
      'gcloud config set project x': 'unknown',
      'gcloud secrets versions access latest': 'unknown',
      'gcloud projects list --limit --flags-file=f': 'unknown',
      'gcloud projects describe "$(cat x)"': 'unknown',
      gcloud: 'unknown',
    },
  },
  {
    names: 'az',
    version: '--version -v version',
    options:
      '-g: -n: -o: -l: --id: --resource-group: --name: --output: --query: --subscription: --location: --all --ids: --only-show-errors --account-name: --vault-name: --registry: --repository: --vnet-name: --nsg-name: --server: --assignee: --resource-type: --top: -d --show-details --refresh -c: --container-name: --auth-mode: --namespace: --display-name: --scope: --cluster-name: --tail: --follow --analytics-query: --workspace: -w: -q: --graph-query: --revision:',
    help: '*',
    handle: ask(AZ, asksAz),
    examples: {
      'az account show --query id -o tsv': 'read-only',
      'az config get': 'read-only',
      'az cloud list': 'read-only',
      'az config set a=b': 'unknown',
      'az cloud set -n x': 'unknown',
      'az vm list -g rg -o table': 'read-only',
      'az vm delete -g rg -n list': 'unknown',
      'az group show -n @f': 'unknown',
      'az aks get-credentials -g rg -n x': 'unknown',
      'az rest --method post --url x': 'unknown',
      'az group list --no-such': 'read-only',
      'az keyvault secret show -n x --vault-name y': 'unknown',
      'az containerapp revision list -n x -g y': 'read-only',
      'az monitor metrics list --resource x --metric y': 'read-only',
      'az vm delete list': 'unknown',
      'az acr build list': 'unknown',
      'az keyvault secret list --vault-name x': 'read-only',
      'az vm list -g $x': 'unknown',
      'az storage account keys list -n x': 'unknown',
      'az cosmosdb list-keys -n x': 'unknown',
      'az webapp log download list --log-file f': 'unknown',
      'az vm list --output-file f': 'unknown',
      'az vm list -f x': 'unknown',
      'az vm create --help': 'read-only',
    },
  },
  {
    names: 'bq',
    options: '--project_id: --dataset_id: --location: --format: -q --quiet --headless --nosync',
    verbs: {
      'ls|show|head|version|help': asks(
        '-a -d -j -m -p -n: -s: -c: --all --max_results: --schema --job --dataset --view --table --start_row: --selected_fields: --filter: --jobs --models --projects --datasets --routines --encryption_service_account',
      ),
    },
    examples: {
      'bq ls -n 5 ds': 'read-only',
      'bq show --schema --format=prettyjson ds.t': 'read-only',
      'bq query x': 'unknown',
      'bq --apilog=f ls': 'unknown',
      'bq rm ds.t': 'unknown',
    },
  },
  {
    names: 'gsutil',
    version: '--version version',
    options: '-l -s -r -R -h -a -b -d -e -c',
    handle: gsutil,
    examples: {
      'gsutil ls -l gs://b/x': 'read-only',
      'gsutil cat gs://b/f': 'read-only',
      'gsutil rm gs://b/f': 'unknown',
      'gsutil cp gs://b/f x': 'unknown',
      'gsutil -o a=b ls': 'unknown',
      'gsutil ls gs://$(cat x)': 'unknown',
    },
  },
];
