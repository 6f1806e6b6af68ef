package modes.policy.secrets_test

import data.modes.policy.secrets

# Concatenated here, so that secret scanners do not report this file.
_key := concat("", ["AKIA", "ABCDEFGHIJKLMNOP"])

_token := concat("", ["ghp_", "abcdefghijklmnopqrstuvwxyz0123456789"])

test_content if secrets.deny == {"the content of this call contains an AWS access key"} with input as _input({"content": $"key = {_key}\n"})

test_every_edit if {
	edits := [{"new_string": "a"}, {"new_string": _token}]
	secrets.deny == {"the edits of this call contains a GitHub token"} with input as _input({"edits": edits})
}

test_command if count(secrets.deny) == 1 with input as _input({"command": $"echo {_token} > .env"})

test_header_of_a_key if count(secrets.deny) == 1 with input as _input({"new_string": concat(" ", ["-----BEGIN RSA", "PRIVATE KEY-----"])})

test_everyday_text_passes if {
	every text in ["", "AKIA", "the private key lies in the vault", "ghp_short", "sk_test_0123456789abcdef"] {
		count(secrets.deny) == 0 with input as _input({"content": text})
	}
}

test_nothing_written_passes if count(secrets.deny) == 0 with input as _input({"file_path": "a"})

_input(given) := {"tool": {"name": "Write", "input": given}}
