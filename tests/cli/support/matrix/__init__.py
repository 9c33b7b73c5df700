# SPDX-License-Identifier: Apache-2.0
"""Files of every kind, made and shown by other programs than clconv and its libraries. test_matrix.py uses them."""
