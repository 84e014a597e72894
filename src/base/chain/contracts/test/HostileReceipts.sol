// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import "../ReceiptAddress.sol";

/// What a hostile contract does instead of its work.
enum Way {
    Obeys,
    Reverts,
    BurnsGas,
    /// Returns or reverts with a megabyte, which takes more gas than a call has.
    ReturnsMegabyte,
    RevertsWithMegabyte,
    /// Returns or reverts with as much as a call can pay for.
    ReturnsMuch,
    RevertsWithMuch,
    SaysNo,
    /// Makes the configured call, once, before its work.
    Reenters
}

abstract contract Misbehaving {
    address private _target;
    bytes private _call;

    function arm(address target, bytes calldata call) external {
        _target = target;
        _call = call;
    }

    /// Returns whether the caller does its work.
    function _misbehave(Way way) internal returns (bool) {
        if (way == Way.Reverts) revert("blacklisted");
        if (way == Way.BurnsGas) while (true) {}
        if (way == Way.ReturnsMegabyte) _return(1_000_000);
        if (way == Way.RevertsWithMegabyte) _revert(1_000_000);
        if (way == Way.ReturnsMuch) _return(200_000);
        if (way == Way.RevertsWithMuch) _revert(200_000);
        if (way == Way.Reenters && _target != address(0)) {
            address target = _target;
            _target = address(0);
            (bool done, ) = target.call(_call);
            require(done, "re-entered in vain");
        }
        return way != Way.SaysNo;
    }

    function _return(uint256 size) private pure {
        assembly {
            return(0, size)
        }
    }

    function _revert(uint256 size) private pure {
        assembly {
            revert(0, size)
        }
    }
}

/// A token that misbehaves in transfers from and to the configured accounts, and can be paused. Any account may mint.
contract HostileMoney is ERC20, Misbehaving {
    mapping(address => Way) private _ways;
    mapping(address => uint256) private _balanceGas;
    bool private _isPaused;

    constructor() ERC20("Hostile", "HOS") {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function configure(address account, Way way) external {
        _ways[account] = way;
    }

    /// To read the balance of the account takes this much gas more.
    function slow(address account, uint256 gasUsed) external {
        _balanceGas[account] = gasUsed;
    }

    function pause(bool isPaused) external {
        _isPaused = isPaused;
    }

    function balanceOf(address account) public view override returns (uint256) {
        uint256 used = _balanceGas[account];
        uint256 end = gasleft() > used ? gasleft() - used : 0;
        while (gasleft() > end) {}
        return super.balanceOf(account);
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        require(!_isPaused, "paused");
        return _misbehave(_ways[msg.sender]) && _misbehave(_ways[to]) && super.transfer(to, amount);
    }
}

/// A split that misbehaves when it gets coins and when it should release.
contract HostileSplit is Misbehaving {
    Way private immutable _onCoins;
    Way private immutable _onRelease;

    constructor(Way onCoins, Way onRelease) {
        _onCoins = onCoins;
        _onRelease = onRelease;
    }

    receive() external payable {
        require(_misbehave(_onCoins), "refused");
    }

    fallback() external {
        require(_misbehave(_onRelease), "refused");
    }
}

/// Pays the addresses of receipts in the ways that a plain wallet cannot.
contract Payer {
    /// With the 2,300 gas of a contract's transfer.
    function payWithStipend(address payable receipt) external payable {
        receipt.transfer(msg.value);
    }

    function payAndCollect(
        ReceiptAddressFactory factory,
        address split,
        bytes32[] calldata salts,
        address[] calldata payees
    ) external payable {
        for (uint256 i = 0; i < salts.length; i++) {
            (bool done, ) = factory.addressOf(split, salts[i]).call{value: msg.value / salts.length}("");
            require(done, "refused");
        }
        factory.collect(split, address(0), salts, payees);
    }

    function payAndSweep(address receipt) external payable {
        (bool done, ) = receipt.call{value: msg.value}("");
        require(done, "refused");
        ReceiptForwarder(receipt).sweep(address(0));
    }

    /// Without a call that the receiver could refuse.
    function payByDestruction(address payable receipt) external payable {
        selfdestruct(receipt);
    }
}
