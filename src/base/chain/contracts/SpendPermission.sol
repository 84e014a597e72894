// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The permission that an account signs: the spender may take up to `allowance` of the token in each period.
/// The same struct as in Coinbase's SpendPermissionManager.
struct SpendPermission {
    address account;
    address spender;
    address token;
    /// Base units of the token. An unused rest of a period does not carry over.
    uint160 allowance;
    /// Seconds.
    uint48 period;
    /// Unix seconds, inclusive.
    uint48 start;
    /// Unix seconds, exclusive.
    uint48 end;
    uint256 salt;
    bytes extraData;
}

struct PeriodSpend {
    /// Unix seconds, inclusive.
    uint48 start;
    /// Unix seconds, exclusive.
    uint48 end;
    uint160 spend;
}

/// The functions of the manager that the charger uses.
interface ISpendPermissionManager {
    /// The result is ignored: a revoked permission cannot be spent, whatever this returns.
    function approveWithSignature(SpendPermission calldata permission, bytes calldata signature) external;

    function spend(SpendPermission calldata permission, uint160 value) external;

    function revokeAsSpender(SpendPermission calldata permission) external;

    function isApproved(SpendPermission calldata permission) external view returns (bool);

    function isRevoked(SpendPermission calldata permission) external view returns (bool);

    function getCurrentPeriod(SpendPermission calldata permission) external view returns (PeriodSpend memory);

    function getHash(SpendPermission calldata permission) external view returns (bytes32);
}
