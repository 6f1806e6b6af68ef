// Tools of well-known MCP servers that only read, by the kind of server that `servers:` of modes.yaml names. Read from the list that
// the server gives, its source, or its documentation. `readOnlyHint` alone is not enough: several tools that have it take a file
// name to write, or code to run. Such tools are not listed, nor are those that return secrets. `tool!argument` only reads while the
// call does not have that argument, which names a file to write. `tool?argument` only reads if that argument is one plain SQL query,
// because a server of that kind runs any statement, or can be made to end its read-only transaction. `tool>argument,argument` writes
// the files that these arguments name, and nothing else.

/** Exact names, so a tool that a later version adds is not among them. */
export const serverKinds: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({
    // mcp-atlassian 0.23.1 (sooperset/mcp-atlassian), Atlassian remote MCP server (https://mcp.atlassian.com/v1/mcp names),
    // cosmix/jira-mcp (the names without a prefix)
    atlassian: `atlassianUserInfo confluence_check_content_permissions confluence_get_attachments confluence_get_comments
      confluence_get_inline_comments confluence_get_labels confluence_get_page confluence_get_page_children
      confluence_get_page_diff confluence_get_page_history confluence_get_page_images confluence_get_page_restrictions
      confluence_get_page_template confluence_get_page_views confluence_get_space_page_tree confluence_get_space_permissions
      confluence_list_page_templates confluence_search confluence_search_user fetch fetchAtlassian
      getAccessibleAtlassianResources getConfluenceCommentChildren getConfluencePage getConfluencePageAncestors
      getConfluencePageDescendants getConfluencePageFooterComments getConfluencePageInlineComments getConfluenceSpaces
      getIssueLinkTypes getJiraIssue getJiraIssueRemoteIssueLinks getJiraIssueTypeMetaWithFields
      getJiraProjectIssueTypesMetadata getPagesInConfluenceSpace getTransitionsForJiraIssue getVisibleJiraProjects
      jira_batch_get_changelogs jira_get_agile_boards jira_get_all_projects jira_get_board_issues jira_get_create_fields
      jira_get_cross_project_dependencies jira_get_field_options jira_get_issue jira_get_issue_dates
      jira_get_issue_development_info jira_get_issue_images jira_get_issue_proforma_forms jira_get_issue_sla
      jira_get_issue_watchers jira_get_issues_development_info jira_get_link_types jira_get_proforma_form_details
      jira_get_project_components jira_get_project_epic_hierarchy jira_get_project_fields jira_get_project_issue_types
      jira_get_project_issues jira_get_project_versions jira_get_queue_issues jira_get_request_type_fields
      jira_get_request_types jira_get_service_desk_for_project jira_get_service_desk_queues jira_get_sprint_issues
      jira_get_sprints_from_board jira_get_transitions jira_get_user_profile jira_get_worklog jira_search
      jira_search_assignable_users jira_search_fields jira_search_projects lookupJiraAccountId search searchAtlassian
      searchConfluenceUsingCql searchJiraIssuesUsingJql
      get_epic_children get_issue get_transitions search_issues`,
    // awslabs.aws-documentation-mcp-server 1.2.3
    'aws-docs': 'get_available_services read_documentation read_sections recommend search_documentation search_table',
    // @brave/brave-search-mcp-server 2.1.4, @modelcontextprotocol/server-brave-search 0.6.2
    'brave-search': `brave_image_search brave_llm_context brave_local_search brave_news_search brave_place_search brave_summarizer
      brave_video_search brave_web_search`,
    // chrome-devtools-mcp 1.11.0
    'chrome-devtools': `get_console_message get_css_styles list_console_messages list_extensions list_network_requests list_pages
      performance_analyze_insight take_screenshot!filePath take_snapshot!filePath wait_for`,
    // https://docs.mcp.cloudflare.com (cloudflare/mcp-server-cloudflare apps/docs-vectorize)
    'cloudflare-docs': 'migrate_pages_to_workers_guide search_cloudflare_documentation',
    // @upstash/context7-mcp 4.1.1, @upstash/context7-mcp 1.0.20 (get-library-docs), https://mcp.context7.com/mcp
    context7: 'get-library-docs query-docs resolve-library-id',
    // Datadog MCP Server (remote)
    datadog: `apm_analyze_trace_metrics apm_discover_span_tags apm_explore_trace apm_get_primary_tag_keys apm_get_watchdog_story
      apm_latency_bottleneck_analysis apm_latency_tag_analysis apm_search_change_stories apm_search_spans
      apm_search_watchdog_stories apm_trace_comparison apm_trace_summary get_datadog_incident get_datadog_metric
      get_datadog_metric_context get_datadog_monitor_templates get_datadog_notebook get_datadog_trace get_monitor_coverage
      search_datadog_dashboards search_datadog_events search_datadog_hosts search_datadog_incidents search_datadog_logs
      search_datadog_metrics search_datadog_monitor_groups search_datadog_monitors search_datadog_notebooks
      search_datadog_rum_events search_datadog_service_dependencies search_datadog_services search_datadog_slos
      search_datadog_spans`,
    // https://mcp.deepwiki.com/mcp
    deepwiki: 'ask_question read_wiki_contents read_wiki_structure',
    // exa-mcp-server 3.4.1 and 3.0.5, https://mcp.exa.ai/mcp
    exa: `company_research_exa crawling_exa deep_researcher_check deep_search_exa get_code_context_exa linkedin_search_exa
      people_search_exa web_fetch_exa web_search_advanced_exa web_search_exa`,
    // mcp-server-fetch 2026.10.24 (reference)
    fetch: 'fetch',
    // Figma MCP server, remote (https://mcp.figma.com/mcp) and desktop, figma-developer-mcp 0.13.2 (Framelink)
    figma: `get_code!dirForAssetWrites get_code_connect_map get_design_context!dirForAssetWrites get_figjam get_figma_data get_metadata get_screenshot get_variable_defs search_design_system
      whoami`,
    // @modelcontextprotocol/server-filesystem 2026.8.31
    filesystem: `directory_tree get_file_info list_allowed_directories list_directory list_directory_with_sizes read_file
      read_media_file read_multiple_files read_text_file search_files create_directory>path edit_file>path
      move_file>source,destination write_file>path`,
    // firecrawl-mcp 3.22.2
    firecrawl: `firecrawl_agent_status firecrawl_check_crawl_status firecrawl_map firecrawl_monitor_check firecrawl_monitor_checks
      firecrawl_monitor_get firecrawl_monitor_list firecrawl_research_inspect_paper firecrawl_research_read_paper
      firecrawl_research_related_papers firecrawl_research_search_github firecrawl_research_search_papers`,
    // mcp-server-git 2026.10.19 (reference)
    git: 'git_branch git_diff_staged git_diff_unstaged git_log git_show git_status',
    // github/github-mcp-server (local and https://api.githubcopilot.com/mcp/), @modelcontextprotocol/server-github 2025.4.8
    github: `actions_get actions_list get_code_scanning_alert get_commit get_copilot_space get_dependabot_alert get_discussion
      get_discussion_comments get_file_contents get_gist get_global_security_advisory get_issue get_issue_comments
      get_job_logs get_label get_latest_release get_me get_notification_details get_project get_project_field
      get_project_item get_pull_request get_pull_request_comments get_pull_request_diff get_pull_request_files
      get_pull_request_reviews get_pull_request_status get_release_by_tag get_repository_tree get_tag get_team_members
      get_teams get_workflow_run get_workflow_run_logs get_workflow_run_usage github_support_docs_search issue_read
      list_branches list_code_scanning_alerts list_commits list_copilot_spaces list_dependabot_alerts
      list_discussion_categories list_discussions list_gists list_global_security_advisories list_issue_types list_issues
      list_label list_notifications list_org_repository_security_advisories list_project_fields list_project_items
      list_projects list_pull_requests list_releases list_repository_security_advisories list_starred_repositories
      list_sub_issues list_tags list_workflow_jobs list_workflow_run_artifacts list_workflow_runs list_workflows
      projects_get projects_list pull_request_read search_code search_issues search_orgs search_pull_requests
      search_repositories search_users`,
    // @zereight/mcp-gitlab 2.1.64 (zereight/gitlab-mcp), @modelcontextprotocol/server-gitlab 2025.4.25, GitLab's own MCP ser
    gitlab: `get_branch get_branch_diffs get_ci_catalog_resource get_commit get_commit_diff get_deployment get_draft_note
      get_environment get_file_blame get_file_contents get_group_iteration get_group_milestone
      get_group_milestone_burndown_events get_group_milestone_issue get_group_milestone_merge_requests get_group_wiki_page
      get_issue get_issue_link get_label get_mcp_server_version get_merge_request get_merge_request_approval_state
      get_merge_request_commits get_merge_request_conflicts get_merge_request_diffs get_merge_request_discussion
      get_merge_request_file_diff get_merge_request_note get_merge_request_notes get_merge_request_pipelines
      get_merge_request_version get_milestone get_milestone_burndown_events get_milestone_issue get_milestone_merge_requests
      get_namespace get_pipeline get_pipeline_job get_pipeline_job_output get_pipeline_jobs get_pipeline_test_report
      get_pipeline_test_report_summary get_project get_project_events get_protected_branch get_release get_repository_tree
      get_tag get_tag_signature get_timeline_events get_user get_users get_vulnerability get_wiki_page get_work_item
      gitlab_search health_check list_branches list_ci_catalog_resources list_commit_statuses list_commits
      list_custom_field_definitions list_dependency_proxy_blobs list_deployment_merge_requests list_deployments
      list_draft_notes list_environments list_events list_group_iterations list_group_members list_group_merge_requests
      list_group_milestones list_group_projects list_group_wiki_pages list_issue_discussions list_issue_emoji_reactions
      list_issue_links list_issue_note_emoji_reactions list_issues list_job_artifacts list_labels
      list_merge_request_changed_files list_merge_request_diffs list_merge_request_emoji_reactions
      list_merge_request_note_emoji_reactions list_merge_request_pipelines list_merge_request_versions list_merge_requests
      list_milestones list_namespaces list_pipeline_jobs list_pipeline_schedule_pipelines list_pipeline_schedules
      list_pipeline_trigger_jobs list_pipelines list_project_members list_project_vulnerabilities list_projects
      list_protected_branches list_releases list_tags list_todos list_wiki_pages list_work_item_emoji_reactions
      list_work_item_note_emoji_reactions list_work_item_notes list_work_item_statuses list_work_items mr_discussions
      my_issues search_code search_group_code search_project_code search_repositories verify_namespace wait_for_job
      wait_for_pipeline whoami`,
    // grafana/mcp-grafana v1.6.3
    grafana: `analyze_loki_labels check_datasources_health diff_tempo_traces get_alert_group get_annotation_tags get_annotations
      get_assertions get_current_oncall_users get_dashboard_by_uid get_dashboard_panel_queries get_dashboard_property
      get_dashboard_summary get_datasource get_doc get_incident get_oncall_shift get_plugin get_query_examples
      get_resource_description get_resource_permissions get_role_assignments get_role_details get_sift_analysis
      get_sift_investigation get_snapshot get_tempo_trace get_tempo_traceql_docs list_alert_groups list_all_roles
      list_cloud_logging_buckets list_cloud_logging_projects list_cloud_logging_views list_cloudwatch_dimension_values
      list_cloudwatch_dimensions list_cloudwatch_metrics list_cloudwatch_namespaces list_dashboard_versions list_datasources
      list_graphite_metrics list_graphite_tags list_incident_custom_fields list_incidents list_loki_label_names
      list_loki_label_values list_oncall_schedules list_oncall_teams list_oncall_users list_prometheus_label_names
      list_prometheus_label_values list_prometheus_metric_metadata list_prometheus_metric_names
      list_provisioning_repositories list_pyroscope_label_names list_pyroscope_label_values list_pyroscope_profile_types
      list_sift_investigations list_snapshots list_team_roles list_teams list_tempo_attribute_names
      list_tempo_attribute_values list_user_roles list_users_by_org query_cloud_logging query_cloudwatch query_elasticsearch
      query_graphite query_graphite_density query_loki_logs query_loki_patterns query_loki_stats query_prometheus
      query_prometheus_histogram query_pyroscope query_quickwit query_tempo_metrics search_dashboards search_docs
      search_folders search_plugin_information search_tempo_traces user_info`,
    // The client's own server of an editor
    ide: 'getDiagnostics',
    // kubernetes-mcp-server (containers/kubernetes-mcp-server)
    kubernetes: `configuration_contexts_list events_list helm_history helm_list namespaces_list nodes_log nodes_stats_summary nodes_top
      pods_get pods_list pods_list_in_namespace pods_log pods_top`,
    // Linear remote MCP server (https://mcp.linear.app/mcp), jerhadf/linear-mcp-server (the names with a prefix)
    linear: `get_document get_issue get_issue_status get_milestone get_project get_team get_user list_comments list_cycles
      list_documents list_initiatives list_issue_labels list_issue_statuses list_issues list_milestones list_my_issues
      list_project_labels list_projects list_teams list_users search_documentation
      linear_get_user_issues linear_search_issues`,
    // @modelcontextprotocol/server-memory 2026.8.31
    memory: 'open_nodes read_graph search_nodes',
    // https://learn.microsoft.com/api/mcp (MicrosoftDocs/mcp)
    'microsoft-docs': 'microsoft_code_sample_search microsoft_docs_fetch microsoft_docs_search',
    // mongodb-mcp-server 3.0.4
    mongodb: `atlas-get-performance-advisor atlas-get-regions atlas-inspect-access-list atlas-inspect-cluster atlas-list-alerts
      atlas-list-clusters atlas-list-db-users atlas-list-orgs atlas-list-projects collection-indexes collection-schema
      collection-storage-size count db-stats find list-collections list-connections list-databases list-knowledge-sources
      mongodb-logs search-knowledge`,
    // @notionhq/notion-mcp-server 2.5.2, Notion remote MCP (https://mcp.notion.com/mcp)
    notion: `API-get-block-children API-get-self API-get-user API-get-users API-list-data-source-templates API-post-database-query
      API-post-search API-query-data-source API-retrieve-a-block API-retrieve-a-comment API-retrieve-a-data-source
      API-retrieve-a-database API-retrieve-a-page API-retrieve-a-page-property API-retrieve-page-markdown notion-fetch
      notion-get-comments notion-get-self notion-get-teams notion-get-user notion-get-users notion-query-database-view
      notion-search`,
    // @playwright/mcp 0.0.83 (microsoft/playwright-mcp)
    playwright: `browser_console_messages!filename browser_generate_locator browser_get_config browser_network_requests!filename browser_route_list browser_snapshot!filename
      browser_take_screenshot!filename browser_verify_element_visible
      browser_verify_list_visible browser_verify_text_visible browser_verify_value browser_wait_for`,
    // @modelcontextprotocol/server-postgres 0.6.2 (reference, archived), postgres-mcp 0.3.0 (crystaldba)
    postgres: 'execute_sql?sql get_object_details list_objects list_schemas query?sql',
    // @sentry/mcp-server 0.36.0, https://mcp.sentry.dev, mcp-server-sentry 2025.4.25 (get_sentry_issue)
    sentry: `find_dsns find_errors find_issues find_organizations find_projects find_releases find_teams get_ai_conversation_details get_doc
      get_issue_activity get_issue_details get_issue_tag_values get_latest_base_snapshot get_profile get_profile_details
      get_release_details get_replay_details get_sentry_resource get_snapshot get_trace_details search_docs search_events
      search_issue_events search_issues search_tools whoami get_sentry_issue`,
    // @modelcontextprotocol/server-sequential-thinking 2026.8.31
    'sequential-thinking': 'sequentialthinking',
    // serena-agent 2.1.0 (oraios/serena)
    serena: `find_declaration find_file find_implementations find_referencing_symbols find_symbol get_current_config
      get_diagnostics_for_file get_diagnostics_for_symbol get_symbols_overview initial_instructions
      jet_brains_find_declaration jet_brains_find_implementations jet_brains_find_referencing_symbols jet_brains_find_symbol
      jet_brains_get_symbols_overview jet_brains_type_hierarchy list_dir list_memories read_file read_memory
      search_for_pattern`,
    // @modelcontextprotocol/server-slack 2025.4.25, slack-mcp-server 1.3.0 (korotovsky), Slack's own server (https://mcp.sla
    slack: `channels_list conversations_history conversations_replies conversations_search_messages conversations_unreads
      saved_list slack_get_channel_history slack_get_thread_replies slack_get_user_profile slack_get_users
      slack_list_channels slack_read_canvas slack_read_channel slack_read_thread slack_read_user_profile
      slack_search_channels slack_search_public slack_search_public_and_private slack_search_users usergroups_list
      users_search`,
    // mcp-server-sqlite 2025.4.25 (reference, archived)
    sqlite: 'describe_table list_tables read_query?query',
    // Stripe MCP server (https://mcp.stripe.com), @stripe/mcp 0.2.5 / @stripe/agent-toolkit 0.7.12 (local tools)
    stripe: `fetch_stripe_resources get_stripe_account_info list_coupons list_customers list_disputes list_invoices
      list_payment_intents list_prices list_products list_subscriptions retrieve_balance search_stripe_documentation
      search_stripe_resources stripe_api_details stripe_api_read stripe_api_search`,
    // @supabase/mcp-server-supabase 0.13.0, https://mcp.supabase.com/mcp
    supabase: `execute_sql?query generate_typescript_types get_advisors get_cost get_edge_function get_logs get_organization get_project
      get_project_url get_storage_config list_branches list_edge_functions list_extensions list_migrations
      list_organizations list_projects list_storage_buckets list_tables search_docs`,
    // tavily-mcp 0.2.22, tavily-mcp 0.2.3 (hyphenated names)
    tavily: `tavily-crawl tavily-extract tavily-map tavily-search tavily_crawl tavily_extract tavily_map tavily_search`,
    // mcp-server-time 2026.10.19
    time: 'convert_time get_current_time',
  }).map(([kind, names]) => [kind, names.split(/\s+/)]),
);
