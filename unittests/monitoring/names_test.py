#!/usr/bin/env python3
"""names.py finds what is not so."""
import unittest

import names

RULES = """
      - alert: EmissaryGone
        expr: emissary_hub_clients > 3
        annotations:
          runbook: runbook.md#emissarygone
"""
CASES = """tests:
  - name: a hub that is well
    input_series:
      - {series: 'emissary_hub_clients{hub="h1"}', values: '1x40'}
  - name: EmissaryGone
    promql_expr_test:
      - exp_samples: [{labels: '{alertname="EmissaryGone"}', value: 1}]
"""
RUNBOOK = "# Runbook\n\n## EmissaryGone\n\nText.\n"


def panel(**changes):
    return {"id": 1, "title": "Clients", "type": "timeseries", "description": "Up.", "gridPos": {"x": 0, "y": 0, "w": 12, "h": 7},
            "fieldConfig": {"defaults": {"unit": "short"}}, "targets": [{}]} | changes


class NamesTest(unittest.TestCase):
    def test_what_is_right(self):
        self.assertEqual(names.faults_of_alerts(RULES, CASES, RUNBOOK), [])
        beside = panel(id=2, gridPos={"x": 12, "y": 0, "w": 12, "h": 7})
        self.assertEqual(names.faults_of_dashboard({"panels": [panel(), beside]}), [])

    def test_a_metric_that_is_none(self):
        counts = {"emissary_hub_clients", "emissary_loop_turn_seconds"}
        self.assertEqual(names.unknown("x", "rate(emissary_loop_turn_seconds_bucket[5m]) emissary_hub_clients up{job}", counts), [])
        self.assertEqual(len(names.unknown("x", "emissary_hub_client > 1", counts)), 1)

    def test_a_parameter_that_is_none(self):
        text = RUNBOOK + "Raise `MaxBytes` or `WatchdogSec`, see `EmissaryGone` and `none`.\n"
        self.assertEqual(names.unknown_parameters(text, "| MaxBytes | unsigned integer | 0 |\n"), [])
        self.assertEqual(names.unknown_parameters(text, "| MaxByte | unsigned integer | 0 |\n"),
                         ["docs/guide/runbook.md: MaxBytes is no parameter of docs/hub-config.md"])

    def test_no_section(self):
        self.assertIn("no section EmissaryGone", names.faults_of_alerts(RULES, CASES, "# Runbook\n")[0])

    def test_a_section_of_no_alert(self):
        found = names.faults_of_alerts(RULES, CASES, RUNBOOK + "\n## EmissaryOther\n")
        self.assertEqual(found, ["docs/guide/runbook.md: EmissaryOther is no alert"])

    def test_another_link(self):
        found = names.faults_of_alerts(RULES.replace("#emissarygone", "#gone"), CASES, RUNBOOK)
        self.assertEqual(len(found), 1)

    def test_no_case(self):
        found = names.faults_of_alerts(RULES, CASES.replace("EmissaryGone", "EmissaryElse"), RUNBOOK)
        self.assertEqual(len(found), 2)

    def test_a_healthy_hub_without_the_metric(self):
        found = names.faults_of_alerts(RULES, CASES.replace("emissary_hub_clients{", "emissary_hub_items{"), RUNBOOK)
        self.assertEqual(len(found), 1)

    def test_no_alert_at_all(self):
        self.assertEqual(names.faults_of_alerts("", CASES, RUNBOOK), ["alerts.yaml: there is no alert"])

    def test_panels_in_one_place(self):
        self.assertEqual(len(names.faults_of_dashboard({"panels": [panel(), panel(id=2, title="Items")]})), 1)
        self.assertEqual(len(names.faults_of_dashboard({"panels": [panel(gridPos={"x": 20, "y": 0, "w": 12, "h": 7})]})), 1)

    def test_a_panel_without_unit_or_query(self):
        self.assertEqual(len(names.faults_of_dashboard({"panels": [panel(description="", targets=[])]})), 2)


if __name__ == "__main__":
    unittest.main()
