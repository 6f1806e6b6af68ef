// gcloud, az and gsutil: groups of things that are known, with the verbs that only ask.
import type { Call } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import type { OptionTable } from '../options.ts';
import { sentFile, sentFiles } from './verbs.ts';

const GCLOUD =
  /^(?:(?:compute (?:instances|zones|regions|disks|networks|networks subnets|firewall-rules|images|snapshots|addresses|machine-types|instance-groups|instance-groups managed|instance-templates|forwarding-rules|backend-services|routers|routes|ssl-certificates|target-pools|url-maps|health-checks|operations)|container (?:clusters|node-pools|images|operations)|run (?:services|revisions|jobs|regions)|functions|sql (?:instances|databases|backups|operations|users|tiers)|projects|organizations|iam (?:roles|service-accounts|service-accounts keys)|storage buckets|pubsub (?:topics|subscriptions)|secrets|secrets versions|builds|builds triggers|artifacts (?:repositories|packages|versions|tags|docker images)|dns (?:managed-zones|record-sets)|logging (?:logs|sinks|metrics|buckets)|redis instances|scheduler jobs|tasks queues|app (?:services|versions|instances)|services|kms (?:keyrings|keys|locations)|composer environments|dataproc clusters|dataflow jobs|billing accounts|spanner (?:instances|databases)|config configurations|filestore instances) (?:list|describe)|(?:projects|iam service-accounts|secrets|run services|pubsub topics|storage buckets) get-iam-policy|auth list|config (?:list|get|get-value)|logging read|storage ls|compute instances get-serial-port-output|run services logs read|functions logs read|app logs read|builds log|info|version|help)(?= |$)/;

const AZ =
  /^(?:(?:account|group|vm|vmss|aks|acr|acr repository|webapp|functionapp|appservice plan|storage account|storage container|storage blob|keyvault|network vnet|network vnet subnet|network nsg|network nsg rule|network public-ip|network nic|network lb|network dns zone|sql server|sql db|cosmosdb|resource|deployment group|role assignment|role definition|ad user|ad app|ad sp|ad group|redis|identity|disk|image|snapshot|tag|provider|policy assignment|policy definition|lock|servicebus namespace|eventhubs namespace|aks nodepool|postgres flexible-server|monitor activity-log) (?:list|show)|account list-locations|vm (?:list-sizes|list-ip-addresses|get-instance-view)|aks get-versions|acr repository show-tags|ad signed-in-user show|version)(?= |$)/;

/** Words that are put together as `verbs` says, and no value that names a file. */
const ask = (verbs: RegExp) => (call: Call, t: OptionTable) => {
  const given = call.parse(t, { wary: true });
  call.accept(given);
  call.network();
  const open = given.operands.findIndex((o) => o.literal === null);
  const words = given.operands.slice(0, open === -1 ? undefined : open).map((o) => o.literal);
  call.subcommand(given);
  if (!verbs.test(words.join(' '))) call.unknown(`${call.name} with a command that is not known to change nothing`);
  for (const word of [...given.operands, ...given.options.flatMap((o) => o.value ?? [])])
    if (word.lead.startsWith('@')) {
      call.unknown(`${call.name} may send what a file holds`, word);
      sentFile(call, word, /^@/);
    }
};

function gsutil(call: Call, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.network();
  call.subcommand(given);
  const [verb, ...rest] = given.operands;
  if (!/^(?:ls|du|stat|cat|version)$/.test(verb?.literal ?? '')) call.unknown('gsutil with a command that is not known', verb);
  if (/^(?:cp|mv|rsync)$/.test(verb?.literal ?? '')) sentFiles(call, rest);
  for (const o of rest) if (!o.lead.startsWith('gs://')) call.unknown('gsutil with an operand that is no gs://', o);
}

export const clouds: CommandEntry[] = [
  {
    names: 'gcloud',
    version: '--version -v version',
    options:
      '--project: --format: --filter: --limit: --zone: --zones: --region: --regions: --sort-by: --page-size: --uri --global --account: --configuration: --enabled --available --verbosity: --location: --instance: --cluster: --service: --platform: --repository: --keyring: --freshness: --order: --secret: --topic: --flatten: --all --show-deleted --managed-by: --iam-account: --include-tags --billing-account:',
    handle: ask(GCLOUD),
    examples: {
      'gcloud config list': 'read-only',
      'gcloud compute instances list --project p --format=json': 'read-only',
      'gcloud compute instances describe web --zone z': 'read-only',
      'gcloud compute instances delete list': 'unknown',
      'gcloud compute instances lists': 'unknown',
      'gcloud projects list --flags-file f': 'unknown',
      'gcloud beta compute instances list': 'unknown',
      'gcloud projects describe @f': 'unknown',
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
      '-g: -n: -o: -l: --resource-group: --name: --output: --query: --subscription: --location: --all --ids: --only-show-errors --account-name: --vault-name: --registry: --repository: --vnet-name: --nsg-name: --server: --assignee: --resource-type: --top: -d --show-details --refresh -c: --container-name: --auth-mode: --namespace: --display-name: --scope: --cluster-name:',
    handle: ask(AZ),
    examples: {
      'az account show --query id -o tsv': 'read-only',
      'az vm list -g rg -o table': 'read-only',
      'az vm delete -g rg -n list': 'unknown',
      'az group show -n @f': 'unknown',
      'az aks get-credentials -g rg -n x': 'unknown',
      'az rest --method post --url x': 'unknown',
      'az group list --no-such': 'unknown',
      'az keyvault secret show -n x --vault-name y': 'unknown',
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
