// Words that gcloud uses only for groups of commands. The word after a group is another group or the command. Taken from the
// command tree of Google Cloud SDK 528 (data/cli/gcloud_completions.py).
const GROUPS = new Set(
  `
    accelerator-types access-approval access-context-manager accounts acls actions activationkeys active-directories active-
    directory address-groups addresses admin-clusters agent-pools ai ai-platform android anthos anywhere-caches api-configs
    api-gateway api-keys apigee apis app app-profiles apphub applications artifacts aspect-types asset assets associated-
    projects associations assured attached attachments attestations attestors audit-logs-provider audit-manager authorization-
    policies authorized-orgs authorized-views autokey-config automation-runs automations autonomous-database-backups
    autonomous-database-character-sets autonomous-databases autonomous-db-versions autoscaling-policies aws azure backend-
    authentication-configs backend-buckets backend-services backup-collections backup-dr backup-plan-associations backup-plans
    backup-policies backup-schedules backup-vaults backups bare-metal batch batch-operations batches bigtable billing binauthz
    bindings blocks bms bqexports buckets budgets builds categories certificate-manager certificates changes channel-
    connections channels client-certs client-tls-policies clients cloud-bindings cloud-exadata-infrastructures cloud-vm-
    clusters cloudrun clusters clusterupgrade cmek-config code-repository-indexes code-tools-settings colab commitments
    components composer composite conditions config configs connection-profiles connections connectivity-tests connectors
    consent-stores consumer-groups container content contents controller conversion-workspaces credentials custom-intercept
    custom-jobs custom-mirroring custom-modules custom-target-types dags dashboards data-catalog data-sharing-with-google-
    settings data-sources database-migration databases dataflow dataplane-v2-encryption dataplex dataproc datascans datasets
    datastore datastream db-nodes db-servers db-system-shapes ddl delivery-pipelines deploy-policies deployment-manager
    deployments dest-groups details developers dicom-stores discovered-services discovered-workloads disk-types disks dns-
    authorizations dns-bind-permission dns-forwarding dns-keys domain-mappings domains dry-run edge-cache edge-cloud ekm-
    config ekm-connections encryption-config endpoint-policies endpoints entitlements entries entry-groups entry-types
    environments essential-contacts etd event-types eventarc execution-groups executions external-access-rules external-
    addresses external-vpn-gateways features federations feeds fhir-stores fields files filestore findings firebase firestore
    firewall-endpoint-associations firewall-endpoints firewall-policies firewall-rules flags fleet fleetobservability
    floorsettings folders forwarding-rules functions gateway-security-policies gateways gemini gemini-gcp-enablement-settings
    gi-versions git-repository-links glossaries google-channels grants groups grpc-routes hcx health-checks healthcare
    hl7v2-stores hmac holds hot-tablets hp-tuning-jobs http-health-checks http-routes https-health-checks hub hubs iac-
    validation-reports iap identity identity-service ids image-imports images immersive-stream import-jobs index-endpoints
    indexes infra-manager ingress insight-type-config insights insights-configs instance-configs instance-groups instance-
    partitions instance-templates instances instant-snapshots intercept-deployment-groups intercept-deployments intercept-
    endpoint-group-associations intercept-endpoint-groups interconnects internal-ranges inventories inventory-reports ios
    issuance-configs job-runs jobs key-handles keyrings keys keysets kms kms-configs lakes lb-route-extensions lb-traffic-
    extensions levels links lite-operations lite-reservations lite-subscriptions lite-topics locales locations logging
    logging-servers logging-settings logical-views logs looker luns lustre machine-image-imports machine-images machine-types
    machines manage managed managed-folders managed-identities managed-kafka managed-zones management-dns-zone-bindings
    management-servers manifests maps materialized-views memberships memcache memorystore mesh meshes metadata-jobs metastore
    method-names migration migration-jobs migration-workflows mirroring-deployment-groups mirroring-deployments mirroring-
    endpoint-group-associations mirroring-endpoint-groups mirroring-rules ml ml-engine model-armor model-garden model-
    monitoring-jobs models monitoring multi-cluster-services muteconfigs namespaces nats netapp network-attachments network-
    connectivity network-edge-security-services network-endpoint-groups network-firewall-policies network-peerings network-
    policies network-profiles network-security network-services networking networks nfs-shares node-groups node-pools node-
    templates node-types nodes notebooks notifications nsx oauth-brands oauth-clients objects observability operations ops-
    agents oracle-database orchestration-cluster org-address-groups org-policies organizations origins os-config os-images os-
    inventory os-login os-policy-assignment-reports os-policy-assignments packages packet-mirrorings pam parametermanager
    parameters patch-deployments patch-jobs peered-dns-domains peerings perimeters persistent-resources plugins policies
    policy policy-based-routes policy-bindings policy-orchestrators policy-tags policycontroller pools posture-deployments
    posture-operations posture-templates postures previews principal-access-boundary-policies private-clouds private-
    connections privateca products project-configs project-feature-settings project-info project-zonal-metadata projects
    providers public-advertised-prefixes public-delegated-prefixes queued-resources queues quota-rules
    rbacrolebindingactuation rbacrolebindings recaptcha recommendations recommender recommender-config record-sets redis
    regional-endpoints regions registrations release-channel-settings releases remote-locations replications repos
    repositories repository-groups requests reservations resize-requests resource-descriptors resource-manager resource-
    policies resources response-policies revisions roles rollouts roots route-tables route-views routers rules runtime-
    templates runtimes samples saved-queries sbom scc scheduler schedules schemas scopes secrets security-policies security-
    profile-groups security-profiles server-ca-certs server-certs server-tls-policies service-accounts service-attachments
    service-bindings service-connection-policies service-directory service-extensions service-lb-policies service-names
    service-projects services sessions setting-bindings settings sha shared-vpc sinks snapshot-settings snapshots snoozes
    sole-tenancy source sources spanner speech splits spokes ssh-keys ssl-certificates ssl-certs ssl-policies storage storage-
    pool-types storage-pools streams sub-blocks subjects subnets subordinates subscriptions support-access supported-services
    tables tag-templates tags target-grpc-proxies target-http-proxies target-https-proxies target-instances target-pools
    target-projects target-ssl-proxies target-tcp-proxies target-vpn-gateways targets tasks taxonomies tcp-routes telco-
    automation templates tensorboards terms terraform-versions threat-prevention tiers tls-inspection-policies tls-routes
    topics topologies tpu-vm tpus transaction transcoder transfer triggers trust-configs ttls types unmanaged uptime url-lists
    url-maps user-workloads-config-maps user-workloads-secrets users values vcenter versions video views violations vms vmware
    volumes vpc-access vpc-flow-logs-configs vpc-peerings vpcsc-config vpn-connections vpn-gateways vpn-tunnels
    vulnerabilities vulnerability-reports workbench worker-pools workflow-templates workflows workforce-pools workload-
    identity-pools workloads workspace-add-ons workstations xr zones
  `
    .trim()
    .split(/\s+/),
);

/** Top-level groups with a name that is a command elsewhere (`scheduler jobs run`). */
const TOP_GROUPS = new Set(
  'alloydb auth bq compute deploy developer-connect dns iam network-management pubsub run sql'.split(' '),
);

/** Read-only commands in any group. */
const ASKS = /^(?:list|describe|get-iam-policy|list-usable|list-instances|get-server-config|get-health|get-operational-status)$/;

/** The number of words that name a read-only command, or 0. */
export function asksGcloud(words: readonly string[]): number {
  const at = words.findIndex((word) => ASKS.test(word));
  const areGroups = words.slice(0, at).every((word, i) => GROUPS.has(word) || (i === 0 && TOP_GROUPS.has(word)));
  return at > 0 && areGroups ? at + 1 : 0;
}
